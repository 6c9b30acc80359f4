package sentence

const hasMultiply = true
