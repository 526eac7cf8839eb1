"""One selection on many machines, with the picks of one: shards hold the lines, a driver picks."""
