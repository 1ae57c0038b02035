/**
 * Runs scripts of package.json, one after the other, beside a command: `run-beside.mjs <scripts> -- <command>`. Prints
 * the output of each script in one piece when the script ends. Fails if any of them fails.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';

const words = process.argv.slice(2);
const end = words.indexOf('--');
const [command, ...flags] = words.slice(end + 1);

// Windows starts npm and the programs of packages only through a shell.
const shell = process.platform === 'win32';
const start = (program, args, output) => spawn(program, args, { shell, stdio: ['inherit', output, output] });

const main = start(command, flags, 'inherit');
const mainEnd = once(main, 'close');

const failed = [];
for (const script of words.slice(0, end)) {
  const child = start('npm', ['run', '--silent', script], 'pipe');
  const [output, errors, [code]] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'close')]);
  console.error(`\n${script}${code === 0 ? '' : ' FAILED'}: ${(output + errors).trimEnd()}`);
  if (code !== 0) failed.push(script);
}
const [mainCode] = await mainEnd;
for (const script of failed) console.error(`${script} FAILED, see above`);
process.exitCode = mainCode === 0 && failed.length > 0 ? 1 : (mainCode ?? 1);
