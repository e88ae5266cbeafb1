"""Other people's engines held against the vectors: the process, the comparison, the run."""
