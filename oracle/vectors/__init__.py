"""The published vectors: files of cases, loaded, written, indexed and verified."""
