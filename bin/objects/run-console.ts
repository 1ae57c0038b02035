/** Runs the console in front of the server of a kubeconfig, until a signal; or prints a link to the server's own. */
import type { Upstream } from '../../client/node/upstream.js';
import { textOf } from '../../runtime/objects/guards.js';
import { linkPath } from '../../server/console/console.js';
import { openGateway } from '../../server/console/gateway.js';
import { exitCodes } from '../exit-codes.js';
import { NoServer, Refusal, reportFailure } from './failure.js';
import { fieldsOf, type Printing, standardPrinting } from './printing.js';
import type { ServerFlags } from './server-flags.js';
import { type UpstreamTarget, upstreamOf } from './target.js';

type Flags = Pick<ServerFlags, 'kubeconfig' | 'context'>;

/** Sets the exit code of the process. `port` 0 takes a free one. */
export const runConsole = (flags: Flags, port: number): Promise<void> =>
  reported(flags, async ({ upstream, from }) => {
    await check(upstream);
    await serve(upstream, from, port, standardPrinting);
  });

/** Prints a link that the server has made for its own console. Sets the exit code of the process. */
export const printLink = (flags: Flags): Promise<void> =>
  reported(flags, async ({ upstream }) => {
    const request = { method: 'POST', path: linkPath, headers: {}, signal: AbortSignal.timeout(waitMs) };
    const { statusCode, body } = await upstream.send(request, undefined);
    const answer = await body.text();
    if (statusCode !== 200) {
      throw new Refusal(
        `the server ${upstream.baseUrl} makes no link: it answers ${statusCode}`,
        "Name the kubeconfig with the administrator's credentials, which kindforge serve keeps with its data",
        'kindforge console without --link works with any kubeconfig',
      );
    }
    standardPrinting.out(textOf(fieldsOf(JSON.parse(answer)).link));
  });

/** How long the server may take for one answer, milliseconds. */
const waitMs = 30_000;

async function reported(flags: Flags, act: (target: UpstreamTarget) => Promise<void>): Promise<void> {
  let from: string | undefined;
  try {
    const target = upstreamOf(flags);
    from = target.from;
    await act(target);
  } catch (error) {
    const { ending, lines } = reportFailure(error, from === undefined ? {} : { from });
    for (const line of lines) standardPrinting.error(line);
    process.exitCode = exitCodes[ending];
  }
}

/** Rejects if the server does not answer, or does not accept the credentials. */
async function check(upstream: Upstream): Promise<void> {
  const signal = AbortSignal.timeout(waitMs);
  const { statusCode, body } = await upstream.send({ method: 'GET', path: '/version', headers: {}, signal }, undefined);
  await body.dump();
  if (statusCode !== 401) return;
  throw new Refusal(`the server ${upstream.baseUrl} does not accept the credentials of the kubeconfig`);
}

async function serve(upstream: Upstream, from: string, port: number, { out, error }: Printing): Promise<void> {
  let last = '';
  const onProblem = (problem: string): void => {
    if (problem !== last) error(`kindforge: ${problem}`);
    last = problem;
  };
  const gateway = await openGateway(upstream, { port, onProblem }).catch((cause: Error) => {
    throw new NoServer(`cannot listen on 127.0.0.1:${port}: ${cause.message}`, 'Choose another port with --port');
  });
  const stopped = new Promise((resolve) => {
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, resolve);
  });
  const hasTerminal = process.stdin.isTTY === true;
  out(`
  console       ${gateway.newLink()}
                (opens the console, once, within two minutes${hasTerminal ? '; Enter prints another link' : ''})
  server        ${upstream.baseUrl}   (from ${from})

  Stop with Ctrl+C.
`);
  if (hasTerminal) process.stdin.on('data', () => out(`  console       ${gateway.newLink()}`));
  await stopped;
  process.stdin.pause();
  await gateway.close();
}
