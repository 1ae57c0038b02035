import { describe, expect, it } from 'vitest';
import type { ApiObject, JsonObject } from '../../../../runtime/contract/index.js';
import { platformNaming } from '../../../../runtime/objects/names/naming.js';
import { definePodTemplates } from '../../../../strategies/core/podtemplates.js';
import { servingOf } from '../../../../strategies/shared/serving.js';
import { errorFieldsOf, errorsOf, objectOf } from '../../../support/field-errors.js';

const handlers = definePodTemplates(servingOf(platformNaming));

const container = {
  name: 'c',
  image: 'image:1',
  imagePullPolicy: 'IfNotPresent',
  terminationMessagePolicy: 'File',
  resources: {},
};

const template = (spec: JsonObject = {}, metadata: JsonObject = {}): ApiObject =>
  objectOf(
    handlers,
    {
      template: {
        metadata,
        spec: { containers: [container], restartPolicy: 'Always', dnsPolicy: 'ClusterFirst', ...spec },
      },
    },
    { name: 't' },
  );

describe('a template of pods', () => {
  it('has labels, annotations and containers that pods can have', () => {
    const object = template({ containers: [{ ...container, image: '' }] }, { labels: { 'a b': 'c' } });
    expect(errorFieldsOf(handlers, object)).toEqual(['template.labels', 'template.spec.containers[0].image']);
  });

  it('has no ephemeral containers', () => {
    const object = template({ ephemeralContainers: [{ ...container, name: 'e' }] });
    expect(errorsOf(handlers, object)).toEqual([
      'template.spec.ephemeralContainers: Forbidden: ephemeral containers not allowed in pod template',
    ]);
  });

  it('leaves requests to its pods', () => {
    const limited = { ...container, imagePullPolicy: undefined, resources: { limits: { cpu: '1' } } };
    const object = template({ containers: [limited] });
    handlers.canonicalize?.(object);
    expect(object).toMatchObject({
      template: { spec: { containers: [{ imagePullPolicy: 'IfNotPresent', resources: { limits: { cpu: '1' } } }] } },
    });
    expect(JSON.stringify(object)).not.toContain('requests');
  });

  it('causes the warnings of pods', () => {
    const object = template({ nodeSelector: { 'beta.platform.io/os': 'linux' } });
    expect(handlers.warn?.(object, undefined)).toEqual([
      'template.spec.nodeSelector[beta.platform.io/os]: deprecated since v1.14; use "platform.io/os" instead',
    ]);
  });

  it('shows its containers and labels', () => {
    const object = template({ containers: [container, { ...container, name: 'd' }] }, { labels: { b: '1', a: '2' } });
    const cells = ['Containers', 'Images', 'Pod Labels'].map((column) => handlers.columns?.[column]?.(object, 0));
    expect(cells).toEqual(['c,d', 'image:1,image:1', 'a=2,b=1']);
  });
});
