/** Compares decisions of policies by attributes with the reference's, through the reference's own kind of review. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type AccessReview, askReviews } from '../support/access-reviews.js';
import { scratchFolder } from '../support/scratch-folder.js';
import { type ListeningServer, startServing } from '../support/serving.js';
import { hasShared, shared } from '../support/shared.js';

interface Facts {
  readonly policy: readonly object[];
  readonly reviews: readonly AccessReview[];
}

describe.skipIf(!hasShared)('policies by attributes (skipped if the facts are not beside the checkout)', () => {
  const folder = scratchFolder();
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
  });

  it('answer every review as recorded', async () => {
    const specs = facts.reviews.map(({ spec }) => spec);
    expect(await askReviews(server.url, 'root', specs)).toEqual(facts.reviews);
  });
});
