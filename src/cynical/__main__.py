"""python -m cynical"""

from .cli.main import main

main()
