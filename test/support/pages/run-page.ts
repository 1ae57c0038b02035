/** Runs the commands of a page in order, as one script in one shell, and compares what transcripts say they print. */
import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { dirname, join } from 'node:path';
import { type Checkout, makeCheckout } from './checkout.js';
import type { Page } from './read-page.js';

/** Ports that pages use. They are exchanged for free ones, since the machine may have servers there already. */
const pagePorts = ['8080', '8081'] as const;
/** Longest time that a page may take, milliseconds. */
const patience = 110_000;

/** What became of a page's commands. */
export interface RanPage {
  /** Empty where every command did what the page says; otherwise what went wrong, by line. */
  readonly problems: readonly string[];
  readonly checkout: Checkout;
  dispose(): void;
}

/** One command of a transcript with what it is to print. */
interface Shown {
  readonly line: number;
  readonly command: string;
  readonly output: readonly string[];
}

/** Runs a page's `sh` and `console` blocks. `exempt` says which commands are left to others. */
export async function runPage(page: Page, exempt: (command: string) => boolean): Promise<RanPage> {
  const ports = new Map<string, string>();
  for (const port of pagePorts) ports.set(port, await freePort());
  const checkout = makeCheckout(ports.get(pagePorts[0]) ?? '0');
  const outputs = join(dirname(checkout.folder), 'outputs');
  mkdirSync(outputs);
  const shown = page.blocks.filter(({ language }) => language === 'console').flatMap(commandsShown);
  const file = join(dirname(checkout.folder), page.path.replace('/', '-'));
  writeFileSync(file, onPorts(scriptOf(page, shown, exempt), ports));
  const { code, log } = await runScript(file, outputs, checkout);
  const differing = shown.flatMap((one) => {
    const printed = join(outputs, String(one.line));
    const found = existsSync(printed) ? readFileSync(printed, 'utf8') : '';
    return printsAs(
      one.output.map((line) => onPorts(line, ports)),
      found,
    ) ||
      (code !== 0 && found === '')
      ? []
      : [`line ${one.line}: \`${one.command}\` printed\n${found}`];
  });
  return {
    problems: [...(code === 0 ? [] : [`ended with ${code}:\n${log.slice(-3000)}`]), ...differing],
    checkout,
    dispose: () => rmSync(dirname(checkout.folder), { recursive: true, force: true }),
  };
}

const onPorts = (text: string, ports: ReadonlyMap<string, string>): string =>
  text.replaceAll(/\b808\d\b/g, (port) => ports.get(port) ?? port);

/** The commands of a transcript: lines after `$ `, gone on after `> `; all others are what they print. */
export function commandsShown({ lines, line }: { readonly lines: readonly string[]; readonly line: number }): Shown[] {
  const shown: { line: number; command: string; output: string[] }[] = [];
  lines.forEach((content, index) => {
    const last = shown.at(-1);
    if (content.startsWith('$ ')) shown.push({ line: line + index, command: content.slice(2), output: [] });
    else if (content.startsWith('> ') && last && last.output.length === 0) last.command += `\n${content.slice(2)}`;
    else last?.output.push(content);
  });
  return shown;
}

/** A script with every command on the line where the page has it, so that the shell names the page's own lines. */
function scriptOf(page: Page, shown: readonly Shown[], exempt: (command: string) => boolean): string {
  const lines: string[] = page.text.split('\n').map(() => '');
  for (const { language, lines: commands, line } of page.blocks) {
    if (language !== 'sh') continue;
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

/** A command whose output goes to a file of its own. It may fail: a transcript shows what it prints then. */
function transcribe({ line, command, output }: Shown): readonly string[] {
  const isBackground = command.endsWith('&');
  const end = isBackground ? ' ' : command.includes('\n') ? '\n' : '; ';
  const last = output.findLast((text) => /\w/.test(text) && !text.includes('…'))?.trim();
  const wait = isBackground && last !== undefined ? `; await ${line} '${last.replaceAll("'", "'\\''")}'` : '';
  return `{ ${command}${end}} >"$OUTPUTS/${line}" 2>&1 || true${wait}`.split('\n');
}

/** Whether a text is what a transcript shows: blanks count as one, and … stands for anything, alone for any lines. */
export function printsAs(expected: readonly string[], found: string): boolean {
  const pattern = trimEnds(expected)
    .map((line) => (line.trim() === '…' ? '(?:.*\\n)*' : `${patternOf(line)}\\n`))
    .join('');
  const text = `${trimEnds(found.split('\n')).map(oneBlank).join('\n')}\n`;
  return pattern === '' ? text.trim() === '' : new RegExp(`^${pattern}$`).test(text);
}

const oneBlank = (line: string): string => line.trim().replaceAll(/\s+/g, ' ');

const patternOf = (line: string): string =>
  oneBlank(line)
    .split('…')
    .map((part) => part.replaceAll(/[\\^$.*+?()[\]{}|]/g, '\\$&'))
    .join('.*');

function trimEnds(lines: readonly string[]): readonly string[] {
  const first = lines.findIndex((line) => line.trim() !== '');
  return first < 0 ? [] : lines.slice(first, lines.findLastIndex((line) => line.trim() !== '') + 1);
}

/** Waits until a command in the background has printed a text. */
const prelude = `set -Eeuo pipefail
trap 'echo "line $LINENO: \\"$BASH_COMMAND\\" ended with $?"' ERR
await() {
  for _ in $(seq 1000); do grep -qF -- "$2" "$OUTPUTS/$1" && return 0; sleep 0.05; done
  echo "line $1 never printed: $2"
  return 1
}
`;

function runScript(file: string, outputs: string, checkout: Checkout): Promise<{ code: number; log: string }> {
  const inherited = Object.fromEntries(
    Object.entries(process.env).filter(([name]) => !/^(npm_|KUBECONFIG)/i.test(name)),
  );
  const env = {
    ...inherited,
    PATH: `${checkout.commands}:${process.env.PATH ?? ''}`,
    HOME: checkout.home,
    OUTPUTS: outputs,
  };
  const script = `${prelude}source ${file}`;
  const child = spawn('bash', ['-c', script], { cwd: checkout.folder, env, detached: true });
  return new Promise((resolve) => {
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
        // Everything has ended by itself.
      }
    };
    const timer = setTimeout(() => {
      log += `\nstill running after ${patience / 1000} s`;
      endAll();
    }, patience);
    child.on('exit', (code) => {
      clearTimeout(timer);
      // Servers that the page left running in the background.
      endAll();
      resolve({ code: code ?? -1, log });
    });
  });
}

function freePort(): Promise<string> {
  return new Promise((resolve, reject) => {
    const server = createServer().once('error', reject);
    server.listen(0, '127.0.0.1', () => {
      const address = server.address();
      server.close(() => resolve(String(typeof address === 'object' && address !== null ? address.port : 0)));
    });
  });
}
