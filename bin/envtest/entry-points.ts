/** The texts of the programs that test suites start: scripts that hand over to the command of this build. */
import { printHelp } from './help.js';
import { printVersion } from './run-api-server.js';

/** What the scripts call, and how. */
export interface EntryPointParts {
  /** The program that runs JavaScript. */
  readonly node: string;
  /** The command of a build. */
  readonly command: string;
  /** The etcd of the same build. */
  readonly etcd: string;
  /** Controllers to run where the environment names none, as `--controllers` has them. */
  readonly controllers: string;
}

/** By this the second line of each script begins. */
export const mark = '# Written by kindforge envtest-assets';

/** The names of the programs with their texts. */
export function entryPoints(parts: EntryPointParts): ReadonlyMap<string, string> {
  return new Map([
    ['kube-apiserver', apiServer(parts)],
    ['etcd', script('etcd', `exec ${quoted(parts.node)} ${quoted(parts.etcd)} "$@"\n`)],
    ['kubectl', script('kubectl', kubectl)],
  ]);
}

const script = (name: string, body: string): string =>
  `#!/bin/sh\n${mark}, which writes it anew when Kindforge has moved: ${name} for test suites.\n${body}`;

/** Suites ask for help before each start: the shell answers in a hundredth of the time that a start takes. */
const apiServer = ({ node, command, controllers }: EntryPointParts): string =>
  script(
    'kube-apiserver',
    `case $1 in
--help | -h)
  cat <<'END'
${printHelp()}END
  exit
  ;;
--version)
  echo ${quoted(printVersion().trim())}
  exit
  ;;
esac
KINDFORGE_CONTROLLERS=\${KINDFORGE_CONTROLLERS-${quoted(controllers)}}
export KINDFORGE_CONTROLLERS
exec ${quoted(node)} ${quoted(command)} kube-apiserver "$@"
`,
  );

/** Calls the first kubectl of the path that is no such script. */
const kubectl = `IFS=:
for folder in $PATH; do
  found=\${folder:-.}/kubectl
  [ -f "$found" ] && [ -x "$found" ] || continue
  second=
  { read -r first && read -r second; } <"$found"
  case $second in "${mark}"*) continue ;; esac
  exec "$found" "$@"
done
echo 'kubectl: there is none on the PATH; install it, on Debian with apt-get install kubernetes-client' >&2
exit 127
`;

const quoted = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;
