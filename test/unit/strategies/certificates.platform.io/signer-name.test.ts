/** Names of signers. */
import { describe, expect, it } from 'vitest';
import { signerNameErrors } from '../../../../strategies/certificates.platform.io/signer-name.js';

const problems = (name: string) => signerNameErrors('spec.signerName', name).map(({ message }) => message);

describe('signerNameErrors', () => {
  it.each(['example.com/signer', 'a.b/c', 'example.com/ns.name-1', `${'a'.repeat(63)}.example.com/${'b'.repeat(253)}`])(
    'takes %s',
    (name) => {
      expect(problems(name)).toEqual([]);
    },
  );

  it.each(['example.com', 'a/b/c', 'a/b/c/d'])('asks for a domain and a path: %s', (name) => {
    expect(problems(name)).toEqual([
      `Invalid value: "${name}": must be a fully qualified domain and path of the form 'example.com/signer-name'`,
    ]);
  });

  it.each([
    ['nodots/x', ['should be a domain with at least two segments']],
    ['/x', ['validating label ""', 'should be a domain']],
    ['example.com/', ['validating label ""']],
    ['Example.com/x', ['validating label "Example"']],
    ['example..com/x', ['validating label ""']],
    ['example.com/Bad_Path', ['validating label "Bad_Path"']],
    [`${'a'.repeat(64)}.com/x`, ['must be no more than 63 characters']],
    [`${'a.'.repeat(130)}com/x`, ['Too long: must have at most 253 bytes']],
    [`a.b/${'c.'.repeat(300)}d`, ['Too long: must have at most 571 bytes']],
  ])('tells what is wrong with %s', (name, parts) => {
    const found = problems(name);
    expect(found).toHaveLength(parts.length);
    for (const [i, part] of parts.entries()) expect(found[i]).toContain(part);
  });
});
