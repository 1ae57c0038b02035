import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { configurationSchema, defineAdmissionPlugin } from '../../../../plugins/kit.js';
import { type AdmissionFileResult, readAdmissionFile } from '../../../../server/parts/admission-file.js';
import { scratchFolder } from '../../../support/scratch-folder.js';

const folder = scratchFolder();

const { fields, list, text, whole } = configurationSchema;
const shared = { start: () => {}, handles: () => false };
const plugins = [
  defineAdmissionPlugin({
    name: 'Limits',
    configuration: {
      apiVersions: ['limits.admission.platform.io/v1', 'limits.admission.platform.io/v1alpha1'],
      kind: 'Configuration',
      schema: fields({ limits: list(fields({ qps: whole({ least: 1 }) })) }),
      byDefault: { limits: [] },
    },
    ...shared,
  }),
  defineAdmissionPlugin({
    name: 'Plain',
    configuration: { apiVersions: [], schema: fields({ selector: text }), byDefault: { selector: '' } },
    ...shared,
  }),
  defineAdmissionPlugin({ name: 'Without', ...shared }),
];

const head = 'apiVersion: apiserver.config.platform.io/v1\nkind: AdmissionConfiguration\n';
const limits = 'apiVersion: limits.admission.k8s.io/v1alpha1\nkind: Configuration\nlimits:\n- qps: 5\n';
writeFileSync(join(folder, 'limits.yaml'), limits);
writeFileSync(join(folder, 'bad.yaml'), `${limits}- qps: 0\n- qsp: 1\n`);
writeFileSync(join(folder, 'torn.yaml'), 'a: [\n');

function read(body: string): AdmissionFileResult {
  writeFileSync(join(folder, 'a.yaml'), body);
  return readAdmissionFile(join(folder, 'a.yaml'), plugins);
}
const problems = (body: string): readonly string[] => {
  const result = read(body);
  return result.ok ? [] : result.problems.map((problem) => problem.replaceAll(`${folder}/`, ''));
};

describe('a file of admission', () => {
  it('has configurations in it or names their files, relative to its folder', () => {
    const plain = '- name: Plain\n  configuration:\n    selector: a=b\n';
    expect(read(`${head}plugins:\n- name: Limits\n  path: limits.yaml\n${plain}`)).toEqual({
      ok: true,
      configurations: new Map<string, unknown>([
        ['Limits', { limits: [{ qps: 5 }] }],
        ['Plain', { selector: 'a=b' }],
      ]),
      missing: [],
    });
    expect(read(`${head}plugins:\n- name: Limits\n  path: ${folder}/limits.yaml\n`)).toHaveProperty('ok', true);
    expect(read(head)).toEqual({ ok: true, configurations: new Map(), missing: [] });
  });

  it.each(['apiserver.config.k8s.io/v1', 'apiserver.k8s.io/v1alpha1', 'apiserver.platform.io/v1alpha1'])(
    'may be called %s, too',
    (apiVersion) =>
      expect(problems(JSON.stringify({ apiVersion, kind: 'AdmissionConfiguration', plugins: [] }))).toEqual([]),
  );

  it('names plugins that are not part of the server', () =>
    expect(read(`${head}plugins:\n- name: AlwaysAdmit\n  configuration: {}\n`)).toMatchObject({
      missing: ['AlwaysAdmit'],
    }));

  it.each<[string, string, string]>([
    ['another kind', head.replace('Admission', 'Admision'), 'a.yaml:2:7: kind: "AdmisionConfiguration": must be Admis'],
    [
      'another version',
      head.replace('v1', 'v2'),
      'a.yaml:1:13: apiVersion: "apiserver.config.platform.io/v2": must be one of',
    ],
    ['no mapping', '[]', 'a.yaml:1:1: begin it with apiVersion: apiserver.config.platform.io/v1'],
    ['two documents', `${head}---\n${head}`, 'a.yaml:1:1: there is more than one document'],
    ['no YAML', `${head}plugins: [\n`, 'a.yaml:'],
    ['an unknown field', `${head}plugin: []\n`, 'a.yaml:3:1: plugin: unknown field; did you mean `plugins`?'],
    ['a field twice', `${head}plugins: []\nplugins: []\n`, 'a.yaml:4:1: '],
    ['no name', `${head}plugins:\n- path: x\n`, 'a.yaml:4:3: plugins[0].name: missing; give text'],
    [
      'an unknown plugin',
      `${head}plugins:\n- name: Limit\n  path: x\n`,
      'a.yaml:4:9: plugins[0].name: "Limit" is not an admission plugin; did you mean `Limits`?',
    ],
    [
      'a plugin without configuration',
      `${head}plugins:\n- name: Without\n  path: x\n`,
      'a.yaml:4:9: plugins[0].name: the plugin Without takes no configuration',
    ],
    [
      'a plugin twice',
      `${head}plugins:\n- name: Limits\n  path: limits.yaml\n- name: Limits\n  path: limits.yaml\n`,
      'a.yaml:6:9: plugins[1].name: Limits is listed twice',
    ],
    [
      'nothing for a plugin',
      `${head}plugins:\n- name: Limits\n`,
      'a.yaml:4:3: plugins[0]: give its configuration, or the path',
    ],
    [
      'a file that is not there',
      `${head}plugins:\n- name: Limits\n  path: none.yaml\n`,
      'none.yaml cannot be read: ENOENT',
    ],
    ['a file that is no YAML', `${head}plugins:\n- name: Limits\n  path: torn.yaml\n`, 'torn.yaml:2:1: '],
    [
      'a wrong value in it',
      `${head}plugins:\n- name: Plain\n  configuration: {selector: 1}\n`,
      'a.yaml:5:29: plugins[0].configuration.selector: 1 is not text',
    ],
    [
      'a wrong version in it',
      `${head}plugins:\n- name: Limits\n  configuration: {apiVersion: v1, kind: Configuration}\n`,
      'a.yaml:5:31: plugins[0].configuration.apiVersion: "v1": must be one of limits.admission.platform.io/v1, limits.admission.k8s.io/v1',
    ],
  ])('with %s is refused', (_, body, problem) => expect(problems(body)).toEqual([expect.stringContaining(problem)]));

  it('is refused with all mistakes of the files that it names', () =>
    expect(problems(`${head}plugins:\n- name: Limits\n  path: bad.yaml\n`)).toEqual([
      'bad.yaml:5:8: limits[1].qps: 0 is less than 1',
      'bad.yaml:6:3: limits[2].qsp: unknown field; did you mean `qps`?',
      'bad.yaml:6:3: limits[2].qps: missing; give a whole number',
    ]));
});
