"""Benchmarks before and after training, through lm-evaluation-harness."""
