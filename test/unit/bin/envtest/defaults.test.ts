/** A suite may give any flag of kube-apiserver with its default value. */
import { readFileSync } from 'node:fs';
import { Command } from 'commander';
import { describe, expect, it } from 'vitest';
import { readApiServer } from '../../../../bin/envtest/run-api-server.js';
import { fillIn } from '../../../../bin/flags/fill-in.js';
import { addFlags } from '../../../../bin/flags/flag.js';
import { type ServeFlags, serveFlagGroups } from '../../../../bin/flags/serve/index.js';
import { readServeOptions } from '../../../../bin/flags/serve-options.js';
import { checkOptions } from '../../../../server/check-options.js';
import { hasShared, shared } from '../../../support/shared.js';

/** Throws if the server would not start with these arguments of kube-apiserver. Resolves to warnings. */
async function warningsOf(args: readonly string[]): Promise<readonly string[]> {
  const warned: string[] = [];
  const environment: Record<string, string | undefined> = {};
  const next = await readApiServer(args, { print: () => undefined, warn: (line) => warned.push(line), environment });
  if ('exit' in next) throw new Error(warned.join());
  const serve = new Command('serve').exitOverride();
  addFlags(serve, serveFlagGroups);
  serve.parse(next.serve, { from: 'user' });
  fillIn(serve, serveFlagGroups, environment);
  checkOptions(readServeOptions(serve.opts<ServeFlags>()));
  return warned;
}

interface ReferenceFlag {
  readonly flag: string;
  readonly default?: string;
}

/** Returns the value in the form of a command line: help puts texts in quotes and lists in brackets. */
const written = (value: string): string => value.replace(/^["[](.*)["\]]$/, '$1');

describe.skipIf(!hasShared)('each flag with its default (skipped without the reference)', () => {
  it('starts the server, without a warning', async () => {
    const reference: readonly ReferenceFlag[] = JSON.parse(
      readFileSync(shared('reference', 'flags-1.27.json'), 'utf8'),
    );
    const given = reference.flatMap(({ flag, default: value }) =>
      value === undefined ? [] : `--${flag}=${written(value)}`,
    );
    expect(given.length).toBeGreaterThan(50);
    for (const arg of given) expect(await warningsOf([arg]), arg).toEqual([]);
  });
});

describe('arguments of suites', () => {
  it.each([
    [['--max-requests-inflight=1000', '--max-mutating-requests-inflight=500', '--delete-collection-workers=10']],
    [
      [
        '--disable-admission-plugins=MutatingAdmissionWebhook',
        '--disable-admission-plugins=ValidatingAdmissionWebhook',
      ],
    ],
    [['--enable-admission-plugins=MutatingAdmissionWebhook', '--enable-admission-plugins=ValidatingAdmissionWebhook']],
    [['--disable-admission-plugins=NamespaceLifecycle,LimitRanger,ServiceAccount,TaintNodesByCondition,Priority']],
    [['--runtime-config=api/all=true', '--feature-gates=DynamicResourceAllocation=true']],
    [['--runtime-config=admissionregistration.k8s.io/v1alpha1=true,admissionregistration.k8s.io/v1beta1=true']],
    [['--feature-gates=CustomResourceValidationExpressions=false']],
    [['--authorization-webhook-cache-authorized-ttl=0', '--authorization-mode=Node,RBAC']],
    [['--audit-policy-file=policy.yaml', '--audit-log-path=-']],
    [['--token-auth-file=tokens.csv', '--etcd-prefix=/other', '--advertise-address=127.0.0.1']],
    [['--service-cluster-ip-range=10.0.0.0/24', '--service-cluster-ip-range=10.1.0.0/16', '-v=10', '--logtostderr']],
  ])('%j', async (args) => expect(await warningsOf(args)).toEqual([]));
});
