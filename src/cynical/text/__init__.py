"""From a name to words: files, formats, tokenizers."""
