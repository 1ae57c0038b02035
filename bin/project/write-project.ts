/** Writes a new project into a folder. */
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { createGenerator } from '../../generator/commands/generate.js';
import { deployFiles } from './new-deploy.js';
import { type KindNames, kindNames, type NewFiles, type ProjectNames, sourceFiles } from './new-sources.js';

/** The written files; or, if nothing was written, the files that already exist. */
export type Written =
  | { readonly ok: true; readonly files: readonly string[] }
  | { readonly ok: false; readonly existing: readonly string[] };

/** Writes files into a folder, and makes it if it does not exist. Throws the errors of the file system. */
export function writeProject(folder: string, names: ProjectNames, versions: NewVersions): Written {
  const all = kindNames(names);
  const files = { ...settingFiles(all, versions), ...sourceFiles(all), ...deployFiles(all) };
  const paths = Object.keys(files).sort();
  const existing = [...paths, 'generated'].filter((path) => existsSync(join(folder, path)));
  if (existing.length > 0) return { ok: false, existing };
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text, { flag: 'wx' });
  }
  createGenerator({ schemas: join(folder, 'schemas'), out: join(folder, 'generated') }).run();
  return { ok: true, files: [...paths, 'generated/'] };
}

/** Versions of packages in the form of `package.json`. */
interface NewVersions {
  /** Of Kindforge itself: a range, a path or a URL. */
  readonly kindforge: string;
}

const json = (value: object): string => `${JSON.stringify(value, undefined, 2)}\n`;

const settingFiles = (names: KindNames, versions: NewVersions): NewFiles => ({
  'package.json': json(packageOf(names, versions)),
  'tsconfig.json': json(compiler),
  '.gitignore':
    'node_modules/\n.kindforge/\nbundle/\ndist/\n*.tsbuildinfo\n# Keys and credentials.\nencryption.yaml\n*kubeconfig*\n*.key\n',
  '.vscode/settings.json': json(editor),
  '.vscode/extensions.json': json({ recommendations: ['redhat.vscode-yaml'] }),
  'README.md': readme(names),
});

const packageOf = ({ project }: KindNames, { kindforge }: NewVersions): object => ({
  name: project,
  version: '0.0.0',
  private: true,
  type: 'module',
  scripts: {
    // Everyone on this machine may do everything. Only production needs credentials.
    dev: 'kindforge dev --seed seed --allow-everyone',
    start: 'kindforge serve',
    check: 'kindforge check && kindforge generate --check && tsc',
    generate: 'kindforge generate',
    diff: 'kindforge diff',
    bundle: 'kindforge bundle',
    // The first test of a file waits for the start of the server, which takes seconds on slow machines.
    test: 'vitest run --testTimeout=30000',
  },
  dependencies: { kindforge },
  devDependencies: {
    '@types/node': '^20.19.0',
    esbuild: '^0.28.0',
    typescript: '^6.0.0',
    // Some registries lack an optional package of vite 8. Then `npm ci` refuses the lock file.
    vite: '^7.3.0',
    vitest: '^4.1.0',
  },
});

const compiler = {
  compilerOptions: {
    target: 'ES2022',
    module: 'NodeNext',
    strict: true,
    noUncheckedIndexedAccess: true,
    verbatimModuleSyntax: true,
    skipLibCheck: true,
    types: ['node'],
    noEmit: true,
  },
  include: ['kindforge.config.ts', 'src', 'test', 'generated'],
};

/** Editors with the YAML language server use the schemas of the package to complete and check definitions. */
const editor = {
  'yaml.schemas': {
    './node_modules/kindforge/schemas/meta/resource-definition.schema.json': 'schemas/**/*.yaml',
    './node_modules/kindforge/schemas/meta/project-configuration.schema.json': 'kindforge.config.yaml',
  },
};

const readme = ({ project, group, plural, kind, singular, naming }: KindNames): string => `# ${project}

An API of its own kind, \`${kind}\` of \`${group}/v1\`, served by Kindforge.

\`\`\`sh
npm install
npm run dev
\`\`\`

The server is at http://127.0.0.1:8080, for everyone on this machine. It already has one object, from \`seed/\`:

\`\`\`sh
curl http://127.0.0.1:8080/apis/${group}/v1/namespaces/default/${plural}/first
${naming === 'kubernetes' ? `kubectl --server http://127.0.0.1:8080 get ${plural}` : `npx kindforge get ${plural} --server http://127.0.0.1:8080`}
\`\`\`

| path | content |
| --- | --- |
| \`schemas/${plural}.yaml\` | the definition of ${kind}: change it while \`npm run dev\` runs |
| \`generated/\` | what \`kindforge generate\` prints of it; committed, never edited |
| \`src/make-${plural}.ts\` | a controller, which makes what each ${singular} asks for |
| \`src/largest.ts\` | an admission rule, which refuses what cannot be made |
| \`test/\` | tests with a server in the same process: \`npm test\` |
| \`seed/\` | objects that \`npm run dev\` applies at its start |
| \`kindforge.config.ts\` | the configuration of the server |
| \`Dockerfile\`, \`compose.yaml\` | the server in a container |
| \`deploy/\` | a service of systemd, and manifests for Kubernetes |
| \`.github/workflows/ci.yml\` | the checks of each change |

| script | does |
| --- | --- |
| \`npm run dev\` | checks, generates and serves, and follows each change; everyone on this machine may do everything |
| \`npm test\` | runs the tests |
| \`npm run check\` | checks definitions, generated code and types |
| \`npm run generate\` | brings \`generated/\` up to date |
| \`npm run diff\` | says what has changed for clients since \`npx kindforge release\` |
| \`npm start\` | serves as in production: with TLS, and only for users with credentials |
| \`npm run bundle\` | makes one file of the server and the project: \`node bundle/server.cjs\` |
`;
