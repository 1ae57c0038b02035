/** Makes the reference of all kinds: a page for each kind, and one for each library of types that kinds share. */
import { referenceEmitter } from '../../../generator/emit/reference.js';
import type { Model } from '../../../generator/model/model.js';
import { type Example, readExamples } from './examples.js';
import { anchorOf } from './links.js';

export interface KindPage {
  /** The group as in a definition; empty for the core group. */
  readonly group: string;
  readonly kind: string;
  /** The address below `/kinds/`. */
  readonly address: string;
  readonly text: string;
}

/** A page to which several kinds link. */
export interface SharedPage {
  /** The address below `/kinds/`. */
  readonly address: string;
  readonly text: string;
}

export interface KindPages {
  readonly kinds: readonly KindPage[];
  readonly shared: readonly SharedPage[];
}

/** Splits the pages of the emitter `reference` into kinds. The emitter makes a page for each group. */
export function kindPages(model: Model): KindPages {
  const examples = readExamples();
  const groups = new Set(model.resources.map(({ group }) => group));
  const files = new Map(
    (referenceEmitter.emitModel?.(model) ?? []).map(({ path, content }) => [path, String(content)]),
  );
  const kinds = [...groups].flatMap((group) =>
    kindsOf(group, files.get(`reference/${nameOf(group)}.md`) ?? '', examples),
  );
  const libraries = [...files].filter(([path]) => path.startsWith('reference/types/'));
  return {
    kinds,
    shared: libraries.map(([path, text]) => ({
      address: path.replace(/^reference\/|\.md$/g, ''),
      text: text.replaceAll(/\]\(([\w.-]+)\.md#/g, '](/kinds/types/$1#'),
    })),
  };
}

/** Returns the name of a group for people. */
export const nameOf = (group: string): string => (group === '' ? 'core' : group);

/** Returns the pages of a group's kinds. Two resources of one kind, in different versions, share a page. */
function kindsOf(group: string, text: string, examples: readonly Example[]): readonly KindPage[] {
  const pages = new Map<string, string[]>();
  for (const section of text.split(/^(?=## )/m).slice(1)) {
    const [, kind = ''] = /^## (\S+)/.exec(section) ?? [];
    pages.set(kind, [...(pages.get(kind) ?? []), sectionOf(section, kind)]);
  }
  return [...pages].map(([kind, sections]) => ({
    group,
    kind,
    address: `${nameOf(group)}/${anchorOf(kind)}`,
    text: [
      `# ${kind}`,
      `Group \`${nameOf(group)}\`.`,
      ...withExample(
        sections.join('\n'),
        examples.find((one) => one.group === group && one.kind === kind),
      ),
    ].join('\n\n'),
  }));
}

/** Moves the headings of versions up one level, and removes the kind from them. */
const sectionOf = (section: string, kind: string): string =>
  section
    .replace(/^## .*\n\n?/, '')
    .replaceAll(new RegExp(`^### ${kind} `, 'gm'), '## ')
    .replaceAll(/\]\(types\/([\w.-]+)\.md#/g, '](/kinds/types/$1#');

/** Puts an example before the first version. */
function withExample(text: string, example: Example | undefined): readonly string[] {
  if (example === undefined) return [text];
  const versions = text.indexOf('## ');
  const code = `## Example\n\n\`\`\`yaml\n${example.text.trimEnd()}\n\`\`\``;
  return [text.slice(0, versions).trimEnd(), code, text.slice(versions)];
}
