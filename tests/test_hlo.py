"""What is read of XLA's text: the program, not the tables of who called whom."""

from jittutor.study.hlo import readable

HLO = """HloModule jit_f, is_scheduled=true

FileNames
1 "loop.py"
2 "step.py"

FunctionNames
1 "serve"

FileLocations
1 {file_name_id=1 function_name_id=1 line=6}

StackFrames
1 {file_location_id=1 parent_frame_id=1}


%fused (p: f32[3]) -> f32[3] {
  %p = f32[3]{0} parameter(0)
}

ENTRY %main (x: f32[3]) -> f32[3] {
  ROOT %y = f32[3]{0} fusion(%x), kind=kLoop, calls=%fused
}
"""


def test_the_tables_of_source_files_give_way_to_one_comment() -> None:
    assert readable(HLO) == (
        "HloModule jit_f, is_scheduled=true\n"
        "// 9 lines of tables of source files are left out\n"
        "\n"
        "%fused (p: f32[3]) -> f32[3] {\n"
        "  %p = f32[3]{0} parameter(0)\n"
        "}\n"
        "\n"
        "ENTRY %main (x: f32[3]) -> f32[3] {\n"
        "  ROOT %y = f32[3]{0} fusion(%x), kind=kLoop, calls=%fused\n"
        "}\n"
    )


def test_a_text_without_tables_stays_as_it_is() -> None:
    text = "HloModule jit_f\n\n\nENTRY %main {\n}\n"
    assert readable(text) == text
    assert readable("") == ""
