"""python -m cynical"""

from .cli import main

main()
