/** Makes folders that look like a fresh checkout, to run the commands of the documentation in. */
import { cpSync, existsSync, mkdirSync, mkdtempSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { builtCommand } from '../built-command.js';
import { builtLibrary } from '../built-library.js';
import { postgresPrograms } from '../postgres.js';
import { hasShared, root, shared } from '../shared.js';

/** Folders that commands only read, so a link is enough. */
const linked = [
  'bench',
  'bin',
  'client',
  'controllers',
  'docs',
  'generated',
  'generator',
  'node_modules',
  'plugins',
  'runtime',
  'schemas',
  'server',
  'strategies',
  'test',
  'testing',
];

/** Folders that commands may write to, or with files that find others by relative paths. */
const copied = [
  'client-node.ts',
  'contract.ts',
  'examples',
  'index.ts',
  'package.json',
  'packages/console/build',
  'tsconfig.json',
  'vitest.config.ts',
];

/** A folder like a checkout, and beside it a folder with the command. */
export interface Checkout {
  readonly folder: string;
  /** The folder to add in front of `PATH`. */
  readonly commands: string;
  /** For `HOME`, so that no user's settings apply. */
  readonly home: string;
  /** Further variables of the environment. */
  readonly env?: Readonly<Record<string, string>>;
}

/** Free ports that replace the command's default ports. */
export interface UsualPorts {
  readonly http: string;
  readonly secure: string;
}

/** Makes a checkout below the system's temporary folder; the caller removes `folder`'s parent. */
export function makeCheckout(ports: UsualPorts): Checkout {
  const parent = mkdtempSync(join(tmpdir(), 'kindforge-docs-'));
  const folder = join(parent, 'kindforge');
  for (const name of ['kindforge', 'bin', 'home']) mkdirSync(join(parent, name));
  for (const name of linked) symlinkSync(join(root, name), join(folder, name));
  if (hasShared) symlinkSync(shared(), join(parent, 'shared'));
  for (const name of copied) {
    const isOurs = (path: string): boolean => !['dist', 'generated', 'node_modules'].includes(basename(path));
    cpSync(join(root, name), join(folder, name), { recursive: true, filter: isOurs });
  }
  for (const example of ['mounting', 'validators', 'web']) {
    const packages = `examples/${example}/node_modules`;
    if (existsSync(join(root, packages))) symlinkSync(join(root, packages), join(folder, packages));
  }
  for (const [name, script] of Object.entries({ kindforge: kindforge(ports), npx: npx(), ...databases() })) {
    writeFileSync(join(parent, 'bin', name), script, { mode: 0o755 });
  }
  return { folder, commands: join(parent, 'bin'), home: join(parent, 'home') };
}

/**
 * Prints a script that runs the built command on free ports if the page names none. In a checkout a project imports all
 * sources, and jiti would spend ten more seconds on file endings that none of them has.
 */
const kindforge = ({ http, secure }: UsualPorts): string => `#!/usr/bin/env bash
export JITI_EXTENSIONS='[".ts",".js"]'
if [ "\${1:-}" = serve ] || [ "\${1:-}" = dev ]; then
  case " $* " in *" --http-port "*|*" --help "*) ;; *) set -- "$@" --http-port ${http} ;; esac
  case " $* " in *" --secure-port "*|*" --help "*) ;; *) set -- "$@" --secure-port ${secure} ;; esac
fi
cd "$(dirname "$0")/../kindforge"
exec node ${builtCommand()} "$@"
`;

/**
 * Prints a script that runs the programs that `npx` runs, but saves the second that `npx` takes to find them. Programs
 * import the package from a few files, because importing its two thousand sources takes two seconds more.
 */
const npx = (): string => `#!/usr/bin/env bash
export TSX_TSCONFIG_PATH=${builtLibrary()}/tsconfig.json
if [ "$1" = tsx ]; then exec node --import ${join(root, 'node_modules/tsx/dist/loader.mjs')} "\${@:2}"; fi
exec "node_modules/.bin/$1" "\${@:2}"
`;

/**
 * Prints scripts that run programs of PostgreSQL as a user other than root. Readers have these programs on their
 * `PATH`, as their own user.
 */
const databases = (): Readonly<Record<string, string>> => ({
  initdb: asUser('initdb', 'chmod o+x .. && mkdir pg-data && chown postgres pg-data'),
  postgres: asUser('postgres', 'true'),
});

const asUser = (name: string, before: string): string => `#!/usr/bin/env bash
program=${postgresPrograms ?? '/usr/bin'}/${name}
[ "$(id -u)" = 0 ] || exec "$program" "$@"
${before}
exec setpriv --reuid postgres --regid postgres --clear-groups "$program" "$@"
`;
