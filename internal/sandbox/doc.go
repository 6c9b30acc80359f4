// Package sandbox runs a program of a project so that nothing of it leaves and nothing of it stays: tests and builds that a
// model, and no person, asked for.
//
// It owns the sandbox, and one folder that it is given: caches, which one run finds as another one of the same workspace
// left them, and what is written while a run lasts. It guarantees that a program
//
//   - reaches no network but a loopback of its own, and no socket of another program: ssh-agent, Docker, D-Bus;
//   - sees the workspace, the system's programs and libraries, and the toolchains of the home folder, and nothing else of
//     the file system, no process of others, and no variable of the environment that is not on a list;
//   - changes nothing outside of its own folder. What it writes into the workspace goes to a layer above it, which is thrown
//     away; where the system has no such layers, the workspace can't be written;
//   - ends, with all that it started, when its time is over, when the caller is cancelled, and when the caller is killed;
//   - gains no rights, and has bounded processes, file sizes and output; it ends when it holds half of the machine's memory, or
//     leaves the disk almost full.
//
// Where one of that can't be had, there is no sandbox, and Check says why; nothing is run with less.
//
// Linux's namespaces are the one mechanism. Landlock would not do: it can't keep a program from connecting to a socket by its
// path, nor from UDP, so that namespaces are needed beside it, and with them it adds nothing. Bubblewrap makes the same calls,
// but is missing on most machines. On other systems there is no sandbox.
package sandbox
