"""Machine-made mutants of the reference, killed by the published vectors or explained.

``tests/mutants/`` plants what a person would misread. Here a tool makes the mistakes, which
nobody chose: in ``oracle/games/`` one operator, number, condition or loop is changed at a time.
"""
