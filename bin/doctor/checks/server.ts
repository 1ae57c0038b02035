/**
 * Checks the kubeconfig, the server that it names, whether it lets this user in, and whether its clock is that of this
 * machine.
 */
import { partsOf } from '../../../client/create-client.js';
import { ApiError, type Transport, toApiError } from '../../../client/index.js';
import { type Check, type Finding, messageOf, ok, problem, warning } from '../finding.js';
import { serverOf } from '../kubeconfig.js';

/** Tokens and certificates go wrong where clocks differ by more. */
const mostSkewMs = 30_000;
const answerWithinMs = 5000;

export const server: Check = {
  name: 'server',
  run: async (subject) => {
    const target = serverOf(subject);
    if (target === undefined) return [ok('no server is known: neither --server nor a kubeconfig')];
    if ('problem' in target) return [problem(target.problem, 'Correct it, or name another with --kubeconfig FILE')];
    const { transport } = partsOf({ ...target.client, retry: { retries: 0 } });
    try {
      return await ask(transport, target.from);
    } catch (error) {
      if (error instanceof ApiError)
        return [problem(`the server of ${target.from}: ${error.message}`, adviceFor(error))];
      return [
        warning(
          `the server of ${target.from} does not answer: ${messageOf(error)}`,
          'Start it with kindforge serve, or name the right one with --kubeconfig FILE or --server URL',
        ),
      ];
    }
  },
};

const adviceFor = ({ code }: ApiError): string =>
  code === 401
    ? 'The credentials are those of another server, or too old: take the kubeconfig that the server has written last'
    : 'See what the server logs';

async function ask(transport: Transport, from: string): Promise<Finding[]> {
  const before = Date.now();
  const response = await transport.send({
    method: 'GET',
    path: '/version',
    headers: { accept: 'application/json' },
    signal: AbortSignal.timeout(answerWithinMs),
  });
  const text = await response.text();
  if (response.status >= 400) throw toApiError(response.status, text);
  return [ok(`the server of ${from} answers, and lets you in`), ...clock(response.header('date'), before, Date.now())];
}

/** `date` is that of an answer, in seconds, sent between two moments here. */
export function clock(date: string, before: number, after: number): Finding[] {
  const there = Date.parse(date);
  if (Number.isNaN(there)) return [];
  const skew = there < before ? before - there - 1000 : there - after;
  if (skew <= mostSkewMs) return [ok('the clocks of this machine and of the server agree')];
  return [
    problem(
      `the clock of this machine is ${Math.round(skew / 1000)} s ${there < before ? 'ahead of' : 'behind'} that of the server`,
      'Set both by NTP (timedatectl set-ntp true): tokens and certificates are refused where clocks differ',
    ),
  ];
}
