package store

import "strings"

// StatementNames lists the statements of one embedded query file.
func StatementNames(file string) ([]string, error) {
	text, err := queryFiles.ReadFile("queries/" + file)
	if err != nil {
		return nil, err
	}
	var names []string
	for _, section := range strings.Split(string(text), "-- name: ")[1:] {
		name, _, _ := strings.Cut(section, "\n")
		names = append(names, strings.TrimSpace(name))
	}
	return names, nil
}

// Statement returns a statement as it is sent, bound to part if it is bound to a leaf.
func (s *Store) Statement(name string, part int16) string {
	if _, bound := s.queries.leaf[name]; bound {
		return s.leafSQL(name, part)
	}
	return s.sql(name)
}
