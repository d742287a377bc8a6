"""Tests of deploy/ and terraform/: nothing here needs a cluster, a cloud or a network."""
