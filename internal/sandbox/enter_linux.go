package sandbox

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"syscall"

	"golang.org/x/sys/unix"
)

// The files that the child is given.
const (
	viewFile  = 3 // to be read
	troubleFD = 4 // what went wrong is written to it; it is closed when the child becomes the program
)

// Enter is what this program does as the child of another one of it: it makes the view and becomes the program, so it
// returns with an error only. It does nothing unless it is the first process of a namespace.
func Enter() error {
	if os.Getpid() != 1 {
		return errors.New("this is for the child that AURORA starts")
	}
	runtime.LockOSThread() // rights belong to threads
	err := enter()
	report := os.NewFile(troubleFD, "trouble")
	_, _ = report.WriteString(err.Error())
	return err
}

func enter() error {
	data, err := io.ReadAll(os.NewFile(viewFile, "view"))
	if err != nil {
		return err
	}
	var v view
	if err := json.Unmarshal(data, &v); err != nil {
		return err
	}
	for _, step := range []func() error{v.build, v.change, bringLoopbackUp, forget, limit, dropRights} {
		if err := step(); err != nil {
			return err
		}
	}
	if err := os.Chdir(v.Dir); err != nil {
		return err
	}
	return fmt.Errorf("start %s: %w", v.Program, syscall.Exec(v.Program, append([]string{v.Program}, v.Args[1:]...), v.Env))
}

// build mounts all that the program sees below v.Root.
func (v *view) build() error {
	if err := unix.Mount("", "/", "", unix.MS_REC|unix.MS_PRIVATE, ""); err != nil {
		return fmt.Errorf("the system allows no mounts (AppArmor, a container's rules): %w", err)
	}
	if err := unix.Mount("tmpfs", v.Root, "tmpfs", unix.MS_NOSUID|unix.MS_NODEV, "mode=0755,size=16m"); err != nil {
		return fmt.Errorf("mount the root: %w", err)
	}
	root, err := os.OpenRoot(v.Root)
	if err != nil {
		return err
	}
	defer root.Close()
	for _, m := range v.Mounts {
		if err := m.mount(root); err != nil {
			return fmt.Errorf("mount %s: %w", m.To, err)
		}
	}
	for _, path := range v.Removed {
		if err := root.Remove(strings.TrimPrefix(path, "/")); err != nil && !errors.Is(err, os.ErrNotExist) {
			return fmt.Errorf("take a file of the workspace away: %w", err)
		}
	}
	if err := mountProc(root); err != nil {
		return fmt.Errorf("mount /proc: %w", err)
	}
	return onPlace(root, "dev/shm", true, func(at string) error {
		return unix.Mount("tmpfs", at, "tmpfs", unix.MS_NOSUID|unix.MS_NODEV, "mode=1777,size=256m")
	})
}

// mount makes one place. Nothing in root, such as a link that an earlier program left in its cache, leads out of it.
func (m mount) mount(root *os.Root) error {
	to := strings.TrimPrefix(m.To, "/")
	if m.Target != "" {
		return errors.Join(root.MkdirAll(filepath.Dir(to), 0o755), root.Symlink(m.Target, to))
	}
	info, err := os.Stat(m.From)
	if err != nil {
		return err
	}
	writable := m.Write
	err = onPlace(root, to, info.IsDir(), func(at string) error {
		if m.Upper != "" && m.layer(at) == nil {
			writable = true
			return nil
		}
		return unix.Mount(m.From, at, "", unix.MS_BIND|unix.MS_REC, "")
	})
	if err != nil {
		return err
	}
	attributes := unix.MountAttr{Attr_set: unix.MOUNT_ATTR_NOSUID}
	if !strings.HasPrefix(m.From, "/dev/") {
		attributes.Attr_set |= unix.MOUNT_ATTR_NODEV
	}
	if !writable {
		attributes.Attr_set |= unix.MOUNT_ATTR_RDONLY
	}
	return onPlace(root, to, info.IsDir(), func(at string) error {
		return unix.MountSetattr(unix.AT_FDCWD, at, unix.AT_RECURSIVE, &attributes)
	})
}

// layer mounts From with a layer above it that takes what is written.
func (m mount) layer(at string) error {
	above, work := filepath.Join(m.Upper, "above"), filepath.Join(m.Upper, "work")
	if err := errors.Join(os.Mkdir(above, 0o700), os.Mkdir(work, 0o700)); err != nil {
		return err
	}
	if strings.ContainsAny(m.From+m.Upper, `:,\`) {
		return errors.New("the options of overlayfs can't name it")
	}
	return unix.Mount("overlay", at, "overlay", unix.MS_NOSUID|unix.MS_NODEV, "userxattr,lowerdir="+m.From+",upperdir="+above+",workdir="+work)
}

// onPlace makes a folder or a file in root where it is missing, and calls do with a path that means it whatever happens.
func onPlace(root *os.Root, path string, folder bool, do func(at string) error) error {
	above := path
	if !folder {
		above = filepath.Dir(path)
	}
	if err := root.MkdirAll(above, 0o755); err != nil {
		return err
	}
	f, err := root.OpenFile(path, unix.O_PATH, 0)
	if errors.Is(err, os.ErrNotExist) {
		f, err = root.Create(path)
	}
	if err != nil {
		return err
	}
	defer f.Close()
	return do("/proc/self/fd/" + strconv.Itoa(int(f.Fd())))
}

// mountProc shows the processes of the sandbox. What else is in /proc can be read only: to a superuser's program it is the
// machine's.
func mountProc(root *os.Root) error {
	err := onPlace(root, "proc", true, func(at string) error {
		return unix.Mount("proc", at, "proc", unix.MS_NOSUID|unix.MS_NODEV|unix.MS_NOEXEC, "")
	})
	if err != nil {
		return err
	}
	_ = root.WriteFile("proc/sys/kernel/pid_max", []byte(strconv.Itoa(mostProcesses)), 0) // of the namespace since Linux 6.14; the limit of forget counts, too
	if err := root.WriteFile("proc/sys/user/max_user_namespaces", []byte("0"), 0); err != nil {
		return err
	}
	_ = root.WriteFile("proc/self/oom_score_adj", []byte("1000"), 0) // the first to go when memory is short
	return onPlace(root, "proc", true, func(at string) error {
		return unix.MountSetattr(unix.AT_FDCWD, at, 0, &unix.MountAttr{Attr_set: unix.MOUNT_ATTR_RDONLY})
	})
}

// change makes the view the root, and the machine's root unreachable.
func (v *view) change() error {
	if err := unix.Chdir(v.Root); err != nil {
		return err
	}
	if err := unix.PivotRoot(".", "."); err != nil {
		return fmt.Errorf("change the root: %w", err)
	}
	if err := unix.Unmount(".", unix.MNT_DETACH); err != nil {
		return fmt.Errorf("leave the machine's root: %w", err)
	}
	if err := unix.Chdir("/"); err != nil {
		return err
	}
	return unix.MountSetattr(unix.AT_FDCWD, "/", 0, &unix.MountAttr{Attr_set: unix.MOUNT_ATTR_RDONLY})
}

// bringLoopbackUp lets tests serve and ask on an address of their own namespace.
func bringLoopbackUp() error {
	fd, err := unix.Socket(unix.AF_INET, unix.SOCK_DGRAM|unix.SOCK_CLOEXEC, 0)
	if err != nil {
		return err
	}
	defer unix.Close(fd)
	lo, err := unix.NewIfreq("lo")
	if err != nil {
		return err
	}
	lo.SetUint16(unix.IFF_UP | unix.IFF_RUNNING)
	return unix.IoctlIfreq(fd, unix.SIOCSIFFLAGS, lo)
}

// forget leaves behind what was inherited: keys of the session, and open files.
func forget() error {
	if _, err := unix.KeyctlInt(unix.KEYCTL_JOIN_SESSION_KEYRING, 0, 0, 0, 0); err != nil && !errors.Is(err, unix.ENOSYS) && !errors.Is(err, unix.EPERM) {
		return fmt.Errorf("leave the session's keys: %w", err)
	}
	return unix.CloseRange(viewFile, ^uint(0), unix.CLOSE_RANGE_CLOEXEC)
}

// limit bounds what the program may take.
func limit() error {
	for resource, most := range map[int]uint64{unix.RLIMIT_NPROC: mostProcesses, unix.RLIMIT_FSIZE: mostFileSize, unix.RLIMIT_CORE: 0} {
		if err := unix.Setrlimit(resource, &unix.Rlimit{Cur: most, Max: most}); err != nil {
			return fmt.Errorf("set a limit: %w", err)
		}
	}
	return unix.Setpriority(unix.PRIO_PROCESS, 0, niceness)
}

// dropRights gives up all rights for good.
func dropRights() error {
	for right := uintptr(0); right <= unix.CAP_LAST_CAP; right++ {
		if err := unix.Prctl(unix.PR_CAPBSET_DROP, right, 0, 0, 0); err != nil && !errors.Is(err, unix.EINVAL) {
			return fmt.Errorf("give up rights: %w", err)
		}
	}
	if err := unix.Prctl(unix.PR_CAP_AMBIENT, unix.PR_CAP_AMBIENT_CLEAR_ALL, 0, 0, 0); err != nil {
		return fmt.Errorf("give up rights: %w", err)
	}
	header := unix.CapUserHeader{Version: unix.LINUX_CAPABILITY_VERSION_3}
	none := [2]unix.CapUserData{}
	if err := unix.Capset(&header, &none[0]); err != nil {
		return fmt.Errorf("give up rights: %w", err)
	}
	return unix.Prctl(unix.PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0)
}
