/** The settings of the site. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createCssVariablesTheme } from 'shiki';
import { type DefaultTheme, defineConfig, type MarkdownOptions } from 'vitepress';
import { anchorOf } from '../build/links.js';
import { type Part, partsOf } from '../build/pages.js';

const pages = join(import.meta.dirname, '../.pages');
const parts = partsOf(readFileSync(join(import.meta.dirname, '../../../docs/README.md'), 'utf8'));

/** The file `entries.json` of `writePages`. */
interface Entries {
  readonly reports: readonly string[];
  readonly kinds: readonly { readonly group: string; readonly kind: string; readonly address: string }[];
}
const entries: Entries = JSON.parse(readFileSync(join(pages, 'entries.json'), 'utf8'));

const partOf = ({ title, groups }: Part): DefaultTheme.SidebarItem => ({
  text: title,
  collapsed: false,
  items: [
    ...groups.flatMap((group) => {
      const items = group.pages.map(({ title, name }) => ({ text: title, link: `/${name}` }));
      return group.title === undefined ? items : [{ text: group.title, collapsed: true, items }];
    }),
    ...(title === 'Reference'
      ? [
          { text: 'API of the package', link: '/api/' },
          { text: 'Kinds', link: '/kinds/' },
        ]
      : []),
  ],
});

const allKinds: DefaultTheme.SidebarItem = { text: 'All kinds', link: '/kinds/' };

/** A sidebar for each group of kinds. A sidebar of all kinds would be larger than most pages. */
const ofGroups = [...new Set(entries.kinds.map(({ group }) => group))].map(
  (group): [string, DefaultTheme.SidebarItem[]] => {
    const name = group === '' ? 'core' : group;
    const items = entries.kinds.filter((one) => one.group === group);
    const links = items.map(({ kind, address }) => ({ text: kind, link: `/kinds/${address}` }));
    return [`/kinds/${name}/`, [allKinds, { text: name, items: links }]];
  },
);

const ofReports: DefaultTheme.SidebarItem[] = [
  { text: 'Overview', link: '/' },
  {
    text: 'API of the package',
    link: '/api/',
    items: entries.reports.map((name) => ({ text: name, link: `/api/${name}` })),
  },
];

const markdown: MarkdownOptions = {
  // Pages are plain Markdown: `<name>` in a text is text, as are two braces.
  html: false,
  anchor: { slugify: anchorOf },
  headers: { slugify: anchorOf },
  // Colours are variables of style.css. So each piece of code is highlighted once, not twice for light and dark.
  theme: createCssVariablesTheme(),
  config: ({ renderer, options }) => {
    const { text } = renderer.rules;
    if (text) renderer.rules.text = (...given) => text(...given).replaceAll('{{', '&#123;&#123;');
    const { highlight } = options;
    if (highlight) options.highlight = remembered(highlight);
  },
};

/**
 * Caches the results of a highlighter. The index of the search renders each page again, which took 10 s without the
 * cache.
 */
function remembered(highlight: Highlight): Highlight {
  const known = new Map<string, string>();
  return (code, language, attributes) => {
    const key = `${language} ${attributes}\n${code}`;
    const html = known.get(key) ?? highlight(code, language, attributes);
    known.set(key, html);
    return html;
  };
}

type Highlight = (code: string, language: string, attributes: string) => string;

export default defineConfig({
  title: 'Kindforge',
  description: 'Turns YAML resource definitions into a running, typed, Kubernetes-style API.',
  lang: 'en',
  srcDir: '.pages',
  outDir: 'dist',
  cleanUrls: true,
  // The build checks links itself, including anchors, and reports all at once.
  ignoreDeadLinks: true,
  transformHead: ({ siteData }) => [['link', { rel: 'icon', type: 'image/svg+xml', href: `${siteData.base}icon.svg` }]],
  markdown,
  themeConfig: {
    logo: '/icon.svg',
    nav: [
      { text: 'Guides', link: '/overview' },
      { text: 'Kinds', link: '/kinds/' },
      { text: 'API', link: '/api/' },
    ],
    sidebar: {
      '/': [{ text: 'Overview', link: '/' }, { text: 'All pages', link: '/overview' }, ...parts.map(partOf)],
      '/kinds/': [{ text: 'Overview', link: '/' }, allKinds, { text: 'API of the package', link: '/api/' }],
      ...Object.fromEntries(ofGroups),
      '/api/': ofReports,
    },
    outline: [2, 3],
    search: {
      provider: 'local',
      // Guides come first: kinds and exports have most words in their names.
      options: {
        miniSearch: {
          searchOptions: { boostDocument: (id: string) => (/^\/(kinds|api)\//.test(id) ? 0.4 : 1) },
        },
      },
    },
    socialLinks: [{ icon: 'github', link: 'https://github.com/kindforge/kindforge' }],
  },
});
