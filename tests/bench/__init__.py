"""Benchmarks: medians and ratios against peers measured in the same run; not part of CI's pass or fail."""
