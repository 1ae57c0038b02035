/** Runs the commands of a page in order, as one script in one shell, and compares their output with the transcripts. */
import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import { dirname, join } from 'node:path';
import { type Checkout, makeCheckout, type UsualPorts } from './checkout.js';
import type { Block, Page } from './read-page.js';
import { commandsShown, printsAs, type Shown, withoutProgress } from './transcript.js';

/**
 * The ports that pages use. Tests replace them by free ports, because other pages and servers may run at the same time.
 */
const pagePorts = /\b(8[01][89]\d|644[34]|2379|2380|5432|6379)\b/g;
/**
 * The time after which a page counts as hanging, milliseconds. A page takes up to a minute, or five beside other pages.
 */
export const patience = 900_000;

/** The outcome of a page's commands. */
export interface RanPage {
  /** Each command that did not do what the page says, with its line. */
  readonly problems: readonly string[];
  readonly checkout: Checkout;
  dispose(): Promise<void>;
}

/** A place to follow pages in, other than a checkout. */
export interface Place {
  make(ports: UsualPorts): Checkout;
  /** Returns the command that a block stands for besides the commands of `sh` and `console`, in one line. */
  commandOf(block: Block): string | undefined;
}

const inCheckout: Place = { make: makeCheckout, commandOf: () => undefined };

/** Runs a page's `sh` and `console` blocks. `exempt` selects the commands that other tests run. */
export async function runPage(
  page: Page,
  exempt: (command: string) => boolean,
  place: Place = inCheckout,
): Promise<RanPage> {
  const [http, secure] = [await freePort(), await freePort()];
  const ports = new Map([
    ['8080', http],
    ['6443', secure],
  ]);
  for (const [port] of page.text.matchAll(pagePorts)) {
    if (!ports.has(port)) ports.set(port, await freePort());
  }
  const checkout = place.make({ http, secure });
  const outputs = join(dirname(checkout.commands), `outputs-${page.path.replace('/', '-')}`);
  mkdirSync(outputs);
  const shown = page.blocks.filter(({ language }) => language === 'console').flatMap(commandsShown);
  const file = join(dirname(checkout.commands), page.path.replace('/', '-'));
  writeFileSync(file, onPorts(scriptOf(page, shown, exempt, place), ports));
  const { code, log } = await runScript(file, outputs, checkout);
  const differing = shown.flatMap(({ line, command, output }) => {
    const printed = join(outputs, String(line));
    // If the script ended early, it did not run the rest.
    if (!existsSync(printed)) return [];
    const all = readFileSync(printed, 'utf8');
    const found = /^(npx )?kindforge /.test(command) ? withoutNotices(withoutProgress(all)) : all;
    const expected = output.map((text) => onPorts(text, ports));
    return printsAs(expected, found) ? [] : [`line ${line}: \`${command}\` printed\n${found}`];
  });
  return {
    problems: [...(code === 0 ? [] : [`ended with ${code}:\n${log.slice(-3000)}`]), ...differing],
    checkout,
    dispose: () => rm(dirname(checkout.commands), { recursive: true, force: true }),
  };
}

const onPorts = (text: string, ports: ReadonlyMap<string, string>): string =>
  text.replaceAll(/\b\d{4}\b/g, (port) => ports.get(port) ?? port);

interface ScriptResult {
  readonly code: number;
  readonly log: string;
}

/** Runs a script, and ends all its processes in the background. */
async function runScript(file: string, outputs: string, checkout: Checkout): Promise<ScriptResult> {
  const inherited = Object.fromEntries(
    Object.entries(process.env).filter(([name]) => !/^(npm_|KUBECONFIG)/i.test(name)),
  );
  const env = {
    ...inherited,
    ...checkout.env,
    PATH: `${checkout.commands}:${process.env.PATH ?? ''}`,
    HOME: checkout.home,
    OUTPUTS: outputs,
  };
  const script = `${prelude}source ${file}`;
  const child = spawn('bash', ['-c', script], { cwd: checkout.folder, env, detached: true });
  const result = await new Promise<ScriptResult>((resolve) => {
    let log = '';
    for (const stream of [child.stdout, child.stderr]) {
      stream.on('data', (chunk: Buffer) => {
        log += chunk.toString();
      });
    }
    const endAll = (): void => {
      try {
        if (child.pid !== undefined) process.kill(-child.pid, 'SIGKILL');
      } catch {
        // All processes have ended by themselves.
      }
    };
    const timer = setTimeout(() => {
      log += `\nstill running after ${patience / 1000} s`;
      endAll();
    }, patience);
    child.on('exit', () => {
      clearTimeout(timer);
      endAll();
    });
    child.on('close', (code) => resolve({ code: code ?? -1, log }));
  });
  await groupEnd(child.pid);
  return result;
}

/** Waits until the killed processes of a group have ended: they may hold a store that the next page opens. */
async function groupEnd(group: number | undefined): Promise<void> {
  for (let tries = 0; group !== undefined && tries < 100; tries++) {
    try {
      process.kill(-group, 0);
    } catch {
      return;
    }
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

/**
 * Stays below the ports that systems give to connections, because a connection could take such a port before the page.
 */
const [firstPort, portCount] = [10_000, 20_000];
const given = new Set<number>();

async function freePort(): Promise<string> {
  for (;;) {
    const port = firstPort + Math.floor(Math.random() * portCount);
    if (given.has(port) || !(await isFree(port))) continue;
    given.add(port);
    return String(port);
  }
}

function isFree(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const server = createServer().once('error', () => resolve(false));
    server.listen(port, '127.0.0.1', () => server.close(() => resolve(true)));
  });
}

/**
 * Makes a script with each command on its line of the page, so that the shell reports lines of the page. Sends the
 * output of each command of a transcript to a file in `$OUTPUTS`, named after its line. `exempt` selects the commands
 * to leave out.
 */
function scriptOf(
  page: Page,
  shown: readonly Shown[],
  exempt: (command: string) => boolean,
  { commandOf }: Place,
): string {
  const lines: string[] = page.text.split('\n').map(() => '');
  for (const block of page.blocks) {
    const { language, lines: commands, line } = block;
    if (language !== 'sh') {
      lines[line - 1] = commandOf(block) ?? '';
      continue;
    }
    commands.forEach((command, index) => {
      lines[line - 1 + index] = exempt(command) ? '' : command;
    });
  }
  for (const one of shown) {
    transcribe(one).forEach((part, index) => {
      const at = one.line - 1 + index;
      lines[at] = lines[at] ? `${lines[at]}; ${part}` : part;
    });
  }
  return `${lines.join('\n')}\n`;
}

/**
 * Prints a command of a transcript. A command without output must succeed; others may fail, as the transcript shows.
 */
function transcribe({ line, command, output }: Shown): readonly string[] {
  const isBackground = command.endsWith('&');
  const end = isBackground ? ' ' : command.includes('\n') ? '\n' : '; ';
  const words = output.filter((text) => /[\w…]/.test(text));
  const last = words.findLast((text) => !text.includes('…'))?.trim();
  const wait = isBackground && last !== undefined ? `; await ${line} '${last.replaceAll("'", "'\\''")}'` : '';
  const mayFail = words.length > 0 ? ' || true' : '';
  return `{ ${command}${end}} >"$OUTPUTS/${line}" 2>&1${mayFail}${wait}`.split('\n');
}

/**
 * The beginning of each script. It stops at the first failure, names the line, and waits for the output of background
 * commands.
 */
const prelude = `set -Eeuo pipefail
trap 'echo "line $LINENO: \\"$BASH_COMMAND\\" ended with $?"' ERR
await() {
  local end=$((SECONDS + 300))
  while ((SECONDS < end)); do grep -qF -- "$2" "$OUTPUTS/$1" && return 0; sleep 0.05; done
  echo "line $1 never printed: $2"
  return 1
}
`;

/** Removes log lines about the requests of a page: reads of deprecated metrics, and refused tokens. */
const withoutNotices = (text: string): string =>
  text.replace(/^kindforge: (?:the metric \S+ is deprecated|token webhook: ).*\n/gm, '');
