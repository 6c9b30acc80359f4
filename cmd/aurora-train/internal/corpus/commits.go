package corpus

func (x *extractor) commits(folder string) error { return nil }
