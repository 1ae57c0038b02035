import { ApiError, readManifests } from 'kindforge/client';
import { describe, expect, it } from 'vitest';
import {
  marksOf,
  syntaxMarks,
  templateOf,
  textOf,
} from '../../../../packages/console/src/pages/definitions/definition-draft.js';
import { readReport, summaryOf } from '../../../../packages/console/src/pages/definitions/diff-report.js';

const text = `spec:
  group: a
  versions:
    - name: v1
      schema:
        openAPIV3Schema:
          properties: { spec: { type: object },
            "a.b": { type: nothing } }
    - name: v2
`;

const refused = (...fields: readonly string[]): ApiError =>
  new ApiError(422, {
    ...{ kind: 'Status', apiVersion: 'v1', metadata: {}, message: 'refused' },
    details: { causes: fields.map((field) => ({ field, message: 'wrong' })) },
  });

describe('a refusal of a definition', () => {
  it.each([
    ['spec.group', 2],
    ['spec.versions', 3],
    ['spec.versions[1]', 9],
    ['spec.versions[1].name', 9],
    ['spec.versions[0].schema.openAPIV3Schema.properties[a.b].type', 8],
    ['spec.versions[0].schema.openAPIV3Schema.properties[spec].type', 7],
    ['spec.names.plural', 1],
    ['metadata', 1],
  ])('about %s is at line %d', async (field, line) =>
    expect(await marksOf(text, refused(field))).toEqual([{ line, message: `${field}: wrong`, severity: 'error' }]),
  );

  it('without a field is at the first line', async () =>
    expect(await marksOf(text, refused('<nil>'))).toEqual([{ line: 1, message: 'wrong', severity: 'error' }]));

  it('without causes is at the first line', async () =>
    expect(await marksOf(text, refused())).toEqual([{ line: 1, message: 'refused', severity: 'error' }]));

  it('of a text that is not YAML is at its mistake', async () =>
    expect(await syntaxMarks('a: 1\nb: "x')).toMatchObject([{ line: 2, severity: 'error' }]));
});

describe('the text of a definition', () => {
  it('has the fields that users may set', async () =>
    expect(
      await textOf({
        apiVersion: 'x/v1',
        kind: 'CustomResourceDefinition',
        metadata: { name: 'a', uid: '1', resourceVersion: '5', labels: { b: 'c' } },
        spec: { group: 'a' },
        status: {},
      }),
    ).toBe(
      'apiVersion: x/v1\nkind: CustomResourceDefinition\nmetadata:\n  name: a\n  labels:\n    b: c\nspec:\n  group: a\n',
    ));

  it('of a new definition can be read', async () =>
    expect(await readManifests(templateOf('x/v1'))).toMatchObject([
      { apiVersion: 'x/v1', metadata: { name: 'widgets.shop.example.com' } },
    ]));
});

describe('the report of a change', () => {
  const finding = (outcome: string): object => ({
    outcome,
    resource: 'lamps',
    path: 'watts',
    message: 'lower',
    effects: ['writers', 'unheard of'],
    witnesses: [
      {
        effect: 'writers',
        object: { watts: 99 },
        old: { accepted: true, object: { watts: 99 } },
        new: { accepted: false, causes: ['watts: too many'] },
      },
      {
        object: {},
        before: { a: 1 },
        old: { accepted: true, object: { a: 2 } },
        new: {},
        owned: { old: ['a'], new: [] },
      },
    ],
    new: { file: 'new.yaml', line: 7, column: 1 },
  });

  it('has its findings with the objects that show them', () =>
    expect(readReport({ changed: 1, findings: [finding('break'), finding('unheard of')] })).toMatchObject({
      changed: 1,
      findings: [
        {
          outcome: 'break',
          path: 'watts',
          line: 7,
          effects: ['clients that write', 'unheard of'],
          shownBy: [
            { object: '{"watts":99}', before: '', old: 'accepted as it is', new: 'refused: watts: too many' },
            { object: '{}', before: '{"a":1}', old: 'its manager owns a', new: 'its manager owns nothing' },
          ],
        },
      ],
    }));

  it.each([
    [['break', 'safe'], '1 change breaks clients or stored objects.'],
    [['safe', 'warning'], 'Nothing is known to break; look at 1 of the changes.'],
    [['safe'], 'All changes are safe.'],
    [[], 'Nothing differs for clients or stored objects.'],
  ])('of %j has a summary', (findings, sentence) =>
    expect(summaryOf(readReport({ findings: findings.map(finding) }))).toBe(sentence),
  );

  it('in another format is empty', () => expect(readReport(null)).toEqual({ findings: [], changed: 0 }));
});
