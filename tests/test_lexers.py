"""The lexers know the languages of a program, line by line, and lose no letter."""

import pytest
from pygments.lexer import Lexer
from pygments.lexers import find_lexer_class_by_name, get_lexer_by_name
from pygments.token import Error, Keyword, Name, Number, Token, _TokenType

from jittutor.lexers import HloLexer, JaxprLexer, StableHloLexer

JAXPR = """{ lambda ; a:f32[300] b:~i32[]. let
    c:f32[3] _:f32[3,3] = scan[
      jaxpr={ lambda ; d:f32[3]. let
          e:f32[3] = mul d 2.0:f32[]
        in (e, d) }
      length=3
      reverse=False
    ] a
    k:key<fry>[] = random_wrap[impl=fry] b
    g:f32[] = jit[name="a b" jaxpr={ lambda ; } ] c
  in (g,) }"""
STABLEHLO = """module @jit_f attributes {mhlo.num_partitions = 1 : i32} {
  func.func public @main(%arg0: tensor<3xf32>) -> (tensor<f32> {jax.result_info = "result"}) {
    %cst = stablehlo.constant dense<2.000000e+00> : tensor<f32>
    %0:2 = stablehlo.while(%iterArg = %c, %iterArg_0 = %arg0) : tensor<i32>, tensor<3xf32>
    return %6 : tensor<f32>
  }
}"""
HLO = """HloModule jit_f, is_scheduled=true

%fused (param_0.3: f32[]) -> f32[] {
  %gt.2 = pred[3]{0} compare(%p, %q), direction=GT, metadata={op_name="jit(f)/gt" stack_frame_id=11}
}
ENTRY %main.7 (x.1: f32[3]) -> f32[] {
  ROOT %add = f32[] fusion(%n.1, %while.7), kind=kLoop, calls=%fused
}"""


def is_a(token: _TokenType, kind: _TokenType) -> bool:
    """Whether a token is of a kind or of one below it."""
    return tuple(token)[: len(kind)] == tuple(kind)


def kinds(lexer: Lexer, text: str) -> dict[str, _TokenType]:
    return {value: token for token, value in lexer.get_tokens(text)}


@pytest.mark.parametrize(
    ("lexer", "text"), [(JaxprLexer(), JAXPR), (StableHloLexer(), STABLEHLO), (HloLexer(), HLO)]
)
class TestEveryLexer:
    def test_keeps_every_letter_and_understands_it(self, lexer: Lexer, text: str) -> None:
        tokens = list(lexer.get_tokens(text))
        assert "".join(value for _, value in tokens) == text + "\n"
        assert not [
            value for token, value in tokens if is_a(token, Error) or (token is Token.Text and value.strip())
        ]

    def test_reads_each_line_as_it_reads_the_whole(self, lexer: Lexer, text: str) -> None:
        whole = [(t, v) for t, v in lexer.get_tokens(text) if v.strip()]
        lines = [(t, v) for line in text.split("\n") for t, v in lexer.get_tokens(line) if v.strip()]
        assert lines == whole

    def test_takes_anything_without_an_error(self, lexer: Lexer, text: str) -> None:
        odd = "".join(map(chr, range(32, 0x250))) + '"unclosed'
        assert "".join(value for _, value in lexer.get_tokens(odd)) == odd + "\n"


def test_a_jaxpr_tells_primitives_types_parameters_and_names_apart() -> None:
    found = kinds(JaxprLexer(), JAXPR)
    assert found["scan"] is Name.Function
    assert found["mul"] is Name.Function
    assert found["f32[300]"] is Keyword.Type
    assert found["~i32[]"] is Keyword.Type
    assert found["key<fry>[]"] is Keyword.Type
    assert found["length"] is Name.Attribute
    assert found["lambda"] is Keyword
    assert found["2.0"] is Number
    assert is_a(found["a"], Name)


def test_stablehlo_tells_operations_and_types_apart() -> None:
    found = kinds(StableHloLexer(), STABLEHLO)
    assert found["stablehlo.constant"] is Name.Builtin
    assert found["%arg0"] is Name.Variable
    assert found["3xf32"] is Keyword.Type
    assert found["@main"] is Name.Function


def test_hlo_tells_operations_and_types_apart() -> None:
    found = kinds(HloLexer(), HLO)
    assert found["fusion"] is Name.Builtin
    assert found["pred[3]{0}"] is Keyword.Type
    assert found["ROOT"] is Keyword


@pytest.mark.parametrize(
    ("alias", "lexer"), [("jaxpr", JaxprLexer), ("stablehlo", StableHloLexer), ("hlo", HloLexer)]
)
def test_pygments_finds_them_by_name(alias: str, lexer: type[Lexer]) -> None:
    assert find_lexer_class_by_name(alias) is lexer
    assert isinstance(get_lexer_by_name(alias), lexer)
