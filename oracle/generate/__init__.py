"""Requests written by play: deals sampled, actions chosen, refused ones put in between.

Everything follows from a seed by the portable shuffle's draws, so that a set is the same on
every machine and in every version of Python.
"""
