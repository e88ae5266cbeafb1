"""``python -m oracle.schemas``: write the schemas of this checkout anew."""

from oracle.data import folder
from oracle.schemas import write

if __name__ == "__main__":
    write(folder("schemas"))
