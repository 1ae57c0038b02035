/** Policies by attributes decide as the reference does, asked through its own kind of question. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type ListeningServer, startServing } from '../support/serving.js';
import { hasShared, shared } from '../support/shared.js';

interface Facts {
  readonly policy: readonly object[];
  readonly reviews: readonly { readonly spec: object; readonly status: object }[];
}

describe.skipIf(!hasShared)('policies by attributes (skipped where the facts are not beside the checkout)', () => {
  const folder = mkdtempSync(join(tmpdir(), 'kindforge-abac-'));
  let facts: Facts;
  let server: ListeningServer;
  beforeAll(async () => {
    facts = JSON.parse(readFileSync(shared('reference/abac-1.27.json'), 'utf8'));
    const authorizationPolicyFile = join(folder, 'policies.jsonl');
    writeFileSync(authorizationPolicyFile, facts.policy.map((line) => JSON.stringify(line)).join('\n'));
    const tokenAuthFile = join(folder, 'tokens.csv');
    writeFileSync(tokenAuthFile, 'root,root,1,system:masters\n');
    server = await startServing({
      naming: 'kubernetes',
      authorizationMode: 'ABAC',
      authorizationPolicyFile,
      tokenAuthFile,
    });
  });
  afterAll(async () => {
    await server.stop();
    rmSync(folder, { recursive: true, force: true });
  });

  it('answer every review as recorded', async () => {
    const answers = await Promise.all(facts.reviews.map(({ spec }) => review(spec)));
    expect(answers).toEqual(facts.reviews.map(({ spec, status }) => ({ spec, status })));
  });

  async function review(spec: object): Promise<object> {
    const response = await fetch(`${server.url}/apis/authorization.k8s.io/v1/subjectaccessreviews`, {
      method: 'POST',
      headers: { authorization: 'Bearer root', 'content-type': 'application/json' },
      body: JSON.stringify({ apiVersion: 'authorization.k8s.io/v1', kind: 'SubjectAccessReview', spec }),
    });
    const { status } = await response.json();
    return { spec, status };
  }
});
