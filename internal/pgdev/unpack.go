//go:build unix

package pgdev

import (
	"archive/tar"
	"archive/zip"
	"bufio"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/ulikunitz/xz"
)

// maxUnpacked bounds what an archive can grow to, in bytes.
const maxUnpacked = 1 << 30

// unpack writes the server in a jar to dir. The jar is a zip file around one
// tar file compressed by xz, which is unpacked here rather than by tar(1),
// because small images lack xz(1).
func unpack(jar, dir string) error {
	archive, err := zip.OpenReader(jar)
	if err != nil {
		return fmt.Errorf("read zip file: %w", err)
	}
	defer archive.Close()
	for _, file := range archive.File {
		if !strings.HasSuffix(file.Name, ".txz") {
			continue
		}
		content, err := file.Open()
		if err != nil {
			return fmt.Errorf("read %s: %w", file.Name, err)
		}
		defer content.Close()
		plain, err := xz.NewReader(bufio.NewReaderSize(content, 1<<16))
		if err != nil {
			return fmt.Errorf("read %s: %w", file.Name, err)
		}
		return untar(plain, dir)
	}
	return errors.New("it contains no .txz file")
}

// untar writes a tar file to dir. The root keeps every path, and whatever a
// symbolic link leads to, inside dir.
func untar(from io.Reader, dir string) error {
	root, err := os.OpenRoot(dir)
	if err != nil {
		return err
	}
	defer root.Close()
	budget := int64(maxUnpacked)
	files := tar.NewReader(from)
	for {
		header, err := files.Next()
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return fmt.Errorf("read tar file: %w", err)
		}
		if budget -= header.Size; budget < 0 {
			return fmt.Errorf("the archive is larger than %d MiB", maxUnpacked>>20)
		}
		if err := untarEntry(root, header, files); err != nil {
			return fmt.Errorf("write %s: %w", header.Name, err)
		}
	}
}

// untarEntry lets everybody read and run what it writes, whatever the umask: if
// we are root, the server runs as another user.
func untarEntry(root *os.Root, header *tar.Header, content io.Reader) error {
	name := filepath.Clean(header.Name)
	if name == "." {
		return nil
	}
	if err := root.MkdirAll(filepath.Dir(name), 0o755); err != nil {
		return err
	}
	switch header.Typeflag {
	case tar.TypeDir:
		if err := root.MkdirAll(name, 0o755); err != nil {
			return err
		}
		return root.Chmod(name, 0o755)
	case tar.TypeSymlink:
		return root.Symlink(header.Linkname, name)
	case tar.TypeReg:
		mode := os.FileMode(0o644 | header.Mode&0o111)
		file, err := root.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, mode)
		if err != nil {
			return err
		}
		_, err = io.Copy(file, content)
		return errors.Join(err, file.Chmod(mode), file.Close())
	default:
		return fmt.Errorf("unexpected type %q", header.Typeflag)
	}
}
