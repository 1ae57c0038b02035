/** The real kubectl and admission policies: written, in force, with warnings, changed and removed. */
import { beforeAll, describe, expect, it } from 'vitest';
import { hasKubectl, kubectlForTests, printed } from '../support/kubectl.js';

const policy = (spec: object): string =>
  JSON.stringify({
    apiVersion: 'admissionregistration.k8s.io/v1alpha1',
    kind: 'ValidatingAdmissionPolicy',
    metadata: { name: 'sizes.example.com' },
    spec: {
      matchConstraints: {
        resourceRules: [{ apiGroups: [''], apiVersions: ['v1'], operations: ['*'], resources: ['configmaps'] }],
        namespaceSelector: { matchLabels: { strict: 'yes' } },
      },
      ...spec,
    },
  });

const binding = (action: string): string =>
  JSON.stringify({
    apiVersion: 'admissionregistration.k8s.io/v1alpha1',
    kind: 'ValidatingAdmissionPolicyBinding',
    metadata: { name: 'sizes' },
    spec: { policyName: 'sizes.example.com', validationActions: [action] },
  });

const onlySmall = { expression: "oldObject != null || object.data.size == 'small'", message: 'too large' };

describe.skipIf(!hasKubectl)('kubectl and admission policies (skipped if it is not installed)', () => {
  const kubectl = kubectlForTests({ featureGates: 'ValidatingAdmissionPolicy=true' });
  beforeAll(async () => {
    const metadata = { name: 'strict', labels: { strict: 'yes' } };
    printed(await kubectl.create({ kind: 'Namespace', metadata }));
    printed(await kubectl.pipe(policy({ validations: [onlySmall] }), 'apply', '-f', '-'));
    printed(await kubectl.pipe(binding('Deny'), 'apply', '-f', '-'));
  });

  const createSized = (name: string, size: string, namespace = 'strict') =>
    kubectl.run('create', 'configmap', name, `--from-literal=size=${size}`, '-n', namespace);

  it('reports why a policy refuses', async () => {
    const refused = await createSized('a', 'large');
    expect(refused.code).not.toBe(0);
    expect(refused.err).toContain(
      "ValidatingAdmissionPolicy 'sizes.example.com' with binding 'sizes' denied request: too large",
    );
    printed(await createSized('a', 'small'));
    printed(await createSized('a', 'large', 'default'));
  });

  it('shows policies and bindings', async () => {
    expect(printed(await kubectl.run('get', 'validatingadmissionpolicies'))).toMatch(
      /sizes\.example\.com\s+1\s+<unset>/,
    );
    expect(printed(await kubectl.run('get', 'validatingadmissionpolicybindings'))).toMatch(
      /sizes\s+sizes\.example\.com/,
    );
  });

  it('sees type mistakes in the status', async () => {
    const validations = [onlySmall, { expression: 'object.dota.size == 1' }];
    printed(await kubectl.pipe(policy({ validations }), 'apply', '-f', '-'));
    const warning = async (): Promise<string> =>
      printed(
        await kubectl.run(
          'get',
          'validatingadmissionpolicy',
          'sizes.example.com',
          '-o',
          'jsonpath={.status.typeChecking}',
        ),
      );
    await expect.poll(warning, { timeout: 30_000 }).toContain("undefined field 'dota'");
    printed(await kubectl.pipe(policy({ validations: [onlySmall] }), 'apply', '-f', '-'));
    await expect.poll(warning, { timeout: 30_000 }).toBe('{}');
  });

  it('prints warnings if a binding warns', async () => {
    printed(await kubectl.pipe(binding('Warn'), 'apply', '-f', '-'));
    const { code, err } = await createSized('b', 'large');
    expect(code).toBe(0);
    expect(err).toContain(
      "Validation failed for ValidatingAdmissionPolicy 'sizes.example.com' with binding 'sizes': too large",
    );
  });

  it('can write again without the binding', async () => {
    printed(await kubectl.run('delete', 'validatingadmissionpolicybinding', 'sizes'));
    printed(await createSized('c', 'large'));
  });
});
