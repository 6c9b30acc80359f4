package sandbox

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"syscall"
	"time"

	"golang.org/x/sys/unix"
)

const supported = true

// needed are the rights over its own namespaces with which the child makes the view; the program has none.
var needed = []uintptr{unix.CAP_SYS_ADMIN, unix.CAP_NET_ADMIN, unix.CAP_SYS_RESOURCE, unix.CAP_SETPCAP, unix.CAP_DAC_OVERRIDE}

// innerUser is the user that a superuser is in the sandbox.
const innerUser = 1000

// start starts this program again in namespaces of its own, has it make the view and become the program, and waits for its
// end. The program is the first process of its namespace, so the kernel ends all that it started with it.
func (b *Box) start(ctx context.Context, c Command, scratch string) (Result, error) {
	cache, err := b.cacheOf(c.Workspace)
	if err != nil {
		return Result{}, err
	}
	v, err := newView(c, scratch, cache)
	if err != nil {
		return Result{}, err
	}
	most, err := b.bounds(scratch)
	if err != nil {
		return Result{}, err
	}
	ctx, end := context.WithCancelCause(ctx)
	defer end(nil)
	if c.Limit > 0 {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(ctx, c.Limit)
		defer cancel()
	}
	cmd := b.childCommand(ctx)
	output, answered := &headAndTail{}, &answer{end: func() { end(nil) }}
	cmd.Stdout, cmd.Stderr = output, output
	if c.Input != nil {
		cmd.Stdin, cmd.Stdout = bytes.NewReader(c.Input), answered
	}
	if c.Stdin != nil {
		cmd.Stdin, cmd.Stdout = c.Stdin, c.Stdout
	}
	runtime.LockOSThread() // the child ends with the thread that started it
	defer runtime.UnlockOSThread()
	began := time.Now()
	err = handOver(cmd, v)
	if err == nil {
		go most.watch(ctx, cmd.Process.Pid, scratch, end)
		err = cmd.Wait()
	}
	r := Result{Code: -1, Output: output.String(), Answer: answered.text, Took: time.Since(began), TimedOut: errors.Is(ctx.Err(), context.DeadlineExceeded)}
	if cmd.ProcessState != nil {
		r.Code = cmd.ProcessState.ExitCode()
	}
	if cause := context.Cause(ctx); r.Code != 0 && (errors.Is(cause, errMemory) || errors.Is(cause, errDisk)) {
		r.Exhausted = cause
	}
	var exit *exec.ExitError
	switch {
	case answered.tooLong:
		err = ErrAnswerTooLong
	case errors.As(err, &exit), r.TimedOut, r.Exhausted != nil, errors.Is(err, syscall.EPIPE): // a program need not read its input
		err = nil
	}
	return r, err
}

// childCommand is this program as a child in namespaces of its own.
func (b *Box) childCommand(ctx context.Context) *exec.Cmd {
	cmd := exec.CommandContext(ctx, b.program, Argument)
	cmd.Dir, cmd.Env = "/", []string{}
	cmd.WaitDelay = time.Second
	uid, gid := os.Getuid(), os.Getgid()
	inner := func(id int) int {
		if id == 0 {
			return innerUser
		}
		return id
	}
	cmd.SysProcAttr = &syscall.SysProcAttr{
		Cloneflags:  unix.CLONE_NEWUSER | unix.CLONE_NEWNS | unix.CLONE_NEWPID | unix.CLONE_NEWNET | unix.CLONE_NEWIPC | unix.CLONE_NEWUTS,
		UidMappings: []syscall.SysProcIDMap{{ContainerID: inner(uid), HostID: uid, Size: 1}},
		GidMappings: []syscall.SysProcIDMap{{ContainerID: inner(gid), HostID: gid, Size: 1}},
		AmbientCaps: needed, Setsid: true, Pdeathsig: syscall.SIGKILL,
	}
	return cmd
}

// handOver starts the child, gives it the view, and waits until it has become the program.
func handOver(cmd *exec.Cmd, v *view) error {
	data, err := json.Marshal(v)
	if err != nil {
		return err
	}
	in, send, err := os.Pipe()
	if err != nil {
		return err
	}
	defer send.Close()
	result, report, err := os.Pipe()
	if err != nil {
		return errors.Join(err, in.Close())
	}
	defer result.Close()
	cmd.ExtraFiles = []*os.File{in, report}
	err = cmd.Start()
	_, _ = in.Close(), report.Close()
	if err != nil {
		return fmt.Errorf("the system allows no namespaces (user.max_user_namespaces, AppArmor, a container's rules): %w", err)
	}
	_, err = send.Write(data)
	_ = send.Close()
	trouble, readErr := io.ReadAll(io.LimitReader(result, 4096))
	if len(trouble) > 0 {
		err = errors.New(string(trouble))
	}
	if err = errors.Join(err, readErr); err != nil {
		_ = cmd.Process.Kill()
		return errors.Join(err, ended(cmd))
	}
	return nil
}

// ended waits for a child that was killed.
func ended(cmd *exec.Cmd) error {
	var exit *exec.ExitError
	if err := cmd.Wait(); !errors.As(err, &exit) {
		return err
	}
	return nil
}

// cacheOf is the folder of a workspace's caches. One that has grown too large starts empty again.
func (b *Box) cacheOf(workspace string) (string, error) {
	sum := sha256.Sum256([]byte(workspace))
	folder := filepath.Join(b.folder, "cache-"+hex.EncodeToString(sum[:8]))
	if sizeOf(folder) > mostCached {
		removeAll(folder)
	}
	return folder, os.MkdirAll(folder, 0o700)
}
