/** The folder to follow the pages of the tutorial in: empty at first, with the package as npm installs it. */
import { chmodSync, mkdirSync, mkdtempSync, readdirSync, symlinkSync, unlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buildPackage, linkModules } from '../package-build.js';
import { root } from '../shared.js';
import type { Checkout, UsualPorts } from './checkout.js';
import { type Block, quotedFile } from './read-page.js';

/** Builds the package. Returns a function that makes the places of the pages in their order, all below one folder. */
export function openTutorial(): (ports: UsualPorts) => Checkout {
  const parent = mkdtempSync(join(tmpdir(), 'kindforge-tutorial-'));
  linkModules(join(parent, 'installed'));
  buildPackage(join(parent, 'installed/node_modules/kindforge'));
  linkCommands(join(parent, 'installed/node_modules'));
  for (const name of ['bin', 'home', 'work']) mkdirSync(join(parent, name));
  for (const [name, script] of Object.entries({ npm, npx })) {
    writeFileSync(join(parent, 'bin', name), script, { mode: 0o755 });
  }
  return ({ http, secure }) => ({
    folder: join(parent, 'work', readdirSync(join(parent, 'work')).includes('datahub') ? 'datahub' : ''),
    commands: join(parent, 'bin'),
    home: join(parent, 'home'),
    env: {
      KINDFORGE_HTTP_PORT: http,
      KINDFORGE_SECURE_PORT: secure,
      INSTALLED: join(parent, 'installed/node_modules'),
      NO_COLOR: '1',
    },
  });
}

/** Adds the command to the commands of other packages. */
function linkCommands(modules: string): void {
  const command = join(modules, 'kindforge/dist/bin/kindforge.cjs');
  chmodSync(command, 0o755);
  const others = join(root, 'node_modules/.bin');
  unlinkSync(join(modules, '.bin'));
  mkdirSync(join(modules, '.bin'));
  for (const name of readdirSync(others)) symlinkSync(join(others, name), join(modules, '.bin', name));
  symlinkSync(command, join(modules, '.bin/kindforge'));
}

/** Links all packages where npm would install some of them. */
const npm = `#!/usr/bin/env bash
if [ "$1" = install ]; then [ -e node_modules ] || ln -s "$INSTALLED" node_modules; echo linked; exit; fi
exec "$(type -ap npm | sed -n 2p)" "$@"
`;

const npx = `#!/usr/bin/env bash
exec "$INSTALLED/.bin/$1" "\${@:2}"
`;

/**
 * Returns the command that saves the file of a block. If the server follows the file, the command waits until the
 * server has reported the change and then printed nothing for a while.
 */
export function saveQuoted(block: Block): string | undefined {
  const path = quotedFile(block);
  const [, target] = /^examples\/tutorial\/(?:(?:begin|controller|upgrade)\/)?(.+)$/.exec(path ?? '') ?? [];
  if (target === undefined) return undefined;
  const save = `mkdir -p "$(dirname ${target})"; cp ${join(root, path ?? '')} ${target}`;
  return /^(schemas\/|kindforge\.config)/.test(target) ? `${logSize}; ${save}; ${settle}` : save;
}

/** The last background command of the pages is `npm run dev`. */
const logSize = 'log=$(ls -t "$OUTPUTS"/* | xargs grep -lF "Stop with Ctrl+C" | head -n 1); size=$(stat -c %s "$log")';
const settle =
  'for i in {1..600}; do [ "$(stat -c %s "$log")" = "$size" ] || break; sleep 0.1; done; ' +
  'until size=$(stat -c %s "$log"); sleep 1.5; [ "$(stat -c %s "$log")" = "$size" ] && ' +
  'tail -n 1 "$log" | grep -qE "^(serving again|generated: |definitions replaced)"; do :; done';
