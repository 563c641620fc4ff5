// Package house holds the rules of the source tree that no linter checks: length of files, words, names of packages, and
// versions that are pinned in two places. It reads files only.
package house
