/** Mistakes in a configuration are reported by file, line and column, with the expected value. */
import { describe, expect, it } from 'vitest';
import { loadProject, ProjectError } from '../../../../../bin/project/index.js';
import { type Files, testFolder } from '../../../../support/scratch-folder.js';

/** Returns the lines of the error, with paths relative to the project. */
async function linesOf(files: Files): Promise<readonly string[]> {
  const folder = testFolder(files);
  const error = await loadProject(folder).catch((thrown: unknown) => thrown);
  expect(error).toBeInstanceOf(ProjectError);
  const message = error instanceof Error ? error.message : '';
  return message.split('\n').map((line) => line.replace(/^[^ ]*\/(?=[^/ ]+\.[a-z]+[: ])/, ''));
}

const head = 'the configuration has mistakes';

describe('a mistake in a configuration', () => {
  it('is reported with its place in TypeScript, all at once and in order', async () => {
    const lines = await linesOf({
      'kindforge.config.ts': `import { defineConfig } from 'kindforge/config';

const emitters = [{ name: 'pages', emit: () => [] }];

export default defineConfig({
  serve: {
    'http-prot': 8080,
    'allow-everyone': 'yes',
    'tls-san': [['a']],
    naming: 'platform',
  },
  emitters,
  naming: 'kubernets' as 'kubernetes',
  controllers: [, './one.ts'],
  emiters: [],
  out: '',
} satisfies object);
`,
      'one.ts': 'export default [{ name: 1 }];',
    });
    expect(lines).toEqual([
      head,
      'kindforge.config.ts:7:5: serve.http-prot is not a setting of kindforge serve; did you mean `http-port`?',
      'kindforge.config.ts:8:23: serve.allow-everyone is "yes"; expected true or false',
      'kindforge.config.ts:9:16: serve.tls-san is a list; expected text, a number, a list of these, or names with values',
      'kindforge.config.ts:10:5: serve.naming is not a setting of kindforge serve; set naming beside serve',
      'kindforge.config.ts:12:3: emitters[0] is an object with name, emit; expected an emitter: an object with a name, and emitResource or emitModel',
      'kindforge.config.ts:13:11: naming is "kubernets"; expected platform or kubernetes',
      'kindforge.config.ts:14:17: controllers[0] is undefined; expected a controller, as defineController of kindforge/client/node makes them',
      'kindforge.config.ts:14:19: controllers[1] has an object with name as its default export; expected a controller, as defineController of kindforge/client/node makes them',
      'kindforge.config.ts:15:3: emiters is not a key of the configuration; did you mean `emitters`?',
      'kindforge.config.ts:16:8: out is ""; expected a folder, relative to the configuration',
    ]);
  });

  it.each<[string, Files, string]>([
    [
      'a value in YAML',
      { 'kindforge.config.yaml': 'out: x\nserve:\n  http-port: 1\n  quiet: 1\n' },
      'kindforge.config.yaml:4:10: serve.quiet is 1; expected true or false',
    ],
    [
      'a key that is like no other',
      { 'kindforge.config.yaml': 'plugins: []' },
      'kindforge.config.yaml:1:1: plugins is not a key of the configuration; the keys are schemas, out, naming, emitters, handlers, admissionPlugins, authenticators, authorizers, controllers, static, routes, onStart, onStop, serve',
    ],
    [
      'no list',
      { 'kindforge.config.yaml': 'handlers: ./one.ts' },
      'kindforge.config.yaml:1:11: handlers is "./one.ts"; expected a list',
    ],
    [
      'no object',
      { 'kindforge.config.mjs': 'export default () => 1;' },
      'kindforge.config.mjs:1:16: the configuration is a function (default); expected an object, as in export default defineConfig({})',
    ],
    [
      'a module that is not there',
      { 'kindforge.config.yaml': 'handlers:\n- ./one.ts' },
      "kindforge.config.yaml:2:3: handlers[0] cannot be imported: one.ts: Cannot find module 'one.ts'",
    ],
    [
      'a module without a default export',
      { 'kindforge.config.yaml': 'handlers:\n- ./one.ts', 'one.ts': 'export const one = {};' },
      'kindforge.config.yaml:2:3: handlers[0] cannot be imported: one.ts: it has no `export default`',
    ],
    [
      'a module that throws',
      { 'kindforge.config.yaml': 'handlers:\n- ./one.ts', 'one.ts': "\nthrow new RangeError('too far');" },
      'kindforge.config.yaml:2:3: handlers[0] cannot be imported: one.ts:2:7: RangeError: too far',
    ],
  ])('is reported with its place: %s', async (_what, files, line) => {
    const lines = await linesOf(files);
    expect(lines.map((each) => each.replace(/ \/\S*\/(?=one)/, ' ').replace(/ (\.\.\/)+\S*\/(?=one)/, ' '))).toEqual([
      head,
      line,
    ]);
  });

  it.each<[string, Files, RegExp]>([
    [
      'TypeScript',
      { 'kindforge.config.ts': 'export default {\n  out: [,\n};\n' },
      /^kindforge\.config\.ts:3:1: syntax error: /,
    ],
    [
      'JavaScript',
      { 'kindforge.config.mjs': 'export default {\n  out: [,\n};\n' },
      /^kindforge\.config\.mjs:3:1: syntax error: /,
    ],
    ['YAML', { 'kindforge.config.yaml': 'out: [\n' }, /^kindforge\.config\.yaml:2:1: /],
    [
      'an imported module',
      { 'kindforge.config.ts': "import './one.js';\nexport default {};", 'one.ts': 'const a = ;' },
      /^one\.ts:1:11: syntax error: /,
    ],
    [
      'what is thrown by an imported module',
      {
        'kindforge.config.ts': "import './one.js';\nexport default {};",
        'one.ts': "function fail(): never {\n  throw new TypeError('no good\\nat all');\n}\nfail();",
      },
      /^one\.ts:2:9: TypeError: no good$/,
    ],
    ['what is no error', { 'kindforge.config.ts': "throw 'a text';" }, /^kindforge\.config\.ts: a text$/],
    [
      'an import that is not there',
      { 'kindforge.config.ts': "import './one.js';\nexport default {};" },
      /^kindforge\.config\.ts:1:8: Cannot find module '\.\/one\.js'$/,
    ],
    [
      'code that is not generated yet',
      { 'kindforge.config.ts': "import './generated/a/v1/b/resource.js';\nexport default {};" },
      /^kindforge\.config\.ts:1:8: Cannot find module '\.\/generated\/a\/v1\/b\/resource\.js'; if it is code of a new kind, generate it first: kindforge generate --project none --schemas schemas --out generated$/,
    ],
    [
      'a package that is not there',
      { 'kindforge.config.ts': '\nimport {\n  one } from "no-such-package";\nexport default { out: one };' },
      /^kindforge\.config\.ts:3:14: Cannot find module 'no-such-package'$/,
    ],
    [
      'a name that a module does not export',
      {
        'kindforge.config.ts': "import { two } from './one.js';\nexport default two({});",
        'one.ts': 'export const one = 1;',
      },
      /^kindforge\.config\.ts:2(:\d+)?: TypeError: two is not a function$/,
    ],
    [
      'what is thrown in the first line',
      { 'kindforge.config.ts': "throw new Error('a text');" },
      /^kindforge\.config\.ts:1: a text$/,
    ],
    [
      'no default export',
      { 'kindforge.config.ts': 'export const a = 1;' },
      /^kindforge\.config\.ts: it has no `export default`$/,
    ],
    [
      'none in JavaScript',
      { 'kindforge.config.mjs': 'export const a = 1;' },
      /^kindforge\.config\.mjs: it has no `export default`$/,
    ],
    ['an empty file', { 'kindforge.config.ts': '\n' }, /^kindforge\.config\.ts: it has no `export default`$/],
  ])('prevents its run: %s', async (_what, files, line) => {
    const [first = ''] = await linesOf(files);
    expect(first).toMatch(line);
  });
});
