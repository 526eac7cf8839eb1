"""One selection on many machines, with the same picks as on one: shards hold the lines, a driver picks."""
