/** Writes the programs that test suites start into a folder. */
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Ending } from '../exit-codes.js';
import { etcdHelp, etcdVersion } from './etcd-help.js';
import { printHelp } from './read-arguments.js';
import { printVersion } from './run-api-server.js';

/** The programs that the scripts call, and their arguments. */
interface EntryPointParts {
  /** The program that runs JavaScript. */
  readonly node: string;
  /** The command of a build. */
  readonly command: string;
  /** The etcd of the same build. */
  readonly etcd: string;
  /** Controllers to run if the environment names none, in the form of `--controllers`. */
  readonly controllers: string;
}

/** The start of the second line of each script. */
const mark = '# Written by kindforge envtest-assets';

/** Returns the names of the programs with their texts. */
export function entryPoints({ node, command, etcd, controllers }: EntryPointParts): ReadonlyMap<string, string> {
  return new Map([
    [
      'kube-apiserver',
      script('kube-apiserver', [
        answers(printHelp(), printVersion()),
        `KINDFORGE_CONTROLLERS=\${KINDFORGE_CONTROLLERS-${quoted(controllers)}}\nexport KINDFORGE_CONTROLLERS\n`,
        handOver('kube-apiserver', node, command, ' kube-apiserver'),
      ]),
    ],
    ['etcd', script('etcd', [answers(etcdHelp, etcdVersion), handOver('etcd', node, etcd, '')])],
    ['kubectl', script('kubectl', [kubectl])],
  ]);
}

const script = (name: string, parts: readonly string[]): string =>
  `#!/bin/sh\n${mark}, which writes it again when Kindforge has moved: ${name} for test suites.\n${parts.join('')}`;

/**
 * Prints the part of the script that answers --help and --version. Suites ask for help before each start, and the shell
 * answers ten times faster than Node starts.
 */
const answers = (help: string, version: string): string => `case $1 in
-help | --help | -h)
  cat <<'END'
${help}END
  exit
  ;;
-version | --version)
  echo ${quoted(version.trim())}
  exit
  ;;
esac
`;

const handOver = (name: string, node: string, file: string, word: string): string => `[ -f ${quoted(file)} ] || {
  echo ${quoted(`${name}: Kindforge has moved; run kindforge envtest-assets again`)} >&2
  exit 1
}
exec ${quoted(node)} ${quoted(file)}${word} "$@"
`;

/** Calls the first kubectl on the path that Kindforge did not write. */
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

/** The folder of the entry points, and the controllers that run behind them. */
export interface WriteOptions {
  readonly folder: string;
  readonly controllers: string;
}

/** The folder of the build that contains this code. */
const build = fileURLToPath(new URL('.', import.meta.url));

/** Writes the programs, and prints how to use them. Does not overwrite other programs. */
export function writeEntryPoints({ folder, controllers }: WriteOptions): Ending {
  const place = resolve(folder);
  const parts = {
    node: process.execPath,
    command: join(build, 'kindforge.cjs'),
    etcd: join(build, 'etcd.cjs'),
    controllers,
  };
  if (!existsSync(parts.command)) return fail('this is not a build; npm run build makes one');
  const texts = entryPoints(parts);
  const foreign = [...texts.keys()].map((name) => join(place, name)).find(isForeign);
  if (foreign !== undefined) return fail(`${foreign} exists and was not written by Kindforge; choose another folder`);
  try {
    mkdirSync(place, { recursive: true });
    for (const [name, text] of texts) {
      // Replaces the file, because a running program cannot be overwritten.
      rmSync(join(place, name), { force: true });
      writeFileSync(join(place, name), text, { mode: 0o755 });
    }
  } catch (error) {
    return fail(error instanceof Error ? error.message : String(error));
  }
  process.stdout.write(
    `${[...texts.keys()].join(', ')} are in ${place}\n\n  KUBEBUILDER_ASSETS=${place} go test ./...\n`,
  );
  return 'done';
}

const isForeign = (path: string): boolean =>
  existsSync(path) && !readFileSync(path).subarray(0, 200).toString('latin1').includes(`\n${mark}`);

function fail(problem: string): Ending {
  console.error(`kindforge: ${problem}`);
  return 'failed';
}
