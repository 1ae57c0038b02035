/** Draws a picture in the language of Graphviz as an SVG for light and for dark pages. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { instance } from '@viz-js/viz';

/** Draws all pictures. Returns SVGs by the names of their files. */
export async function drawAll(): Promise<ReadonlyMap<string, string>> {
  const viz = await instance();
  const sources = readdirSync(import.meta.dirname).filter((name) => name.endsWith('.dot'));
  return new Map(
    sources.map((name) => {
      const source = readFileSync(join(import.meta.dirname, name), 'utf8');
      const { graphAttributes, nodeAttributes, edgeAttributes } = settings;
      const drawn = viz.renderString(source, { format: 'svg', graphAttributes, nodeAttributes, edgeAttributes });
      return [name.replace(/dot$/, 'svg'), asPicture(drawn, titleOf(source))];
    }),
  );
}

/** Returns the sentence above a picture, as its text for people who cannot see it. */
const titleOf = (source: string): string => /^\/\/ (.*)$/m.exec(source)?.[1] ?? '';

/** Graphviz measures larger letters than the SVG shows, because fonts of readers are wider than the measured font. */
const font = { fontname: 'Helvetica', fontsize: 14.5 };
const settings = {
  graphAttributes: { ...font, bgcolor: 'transparent', pad: 0.3, ranksep: 0.45, labeljust: 'l', style: 'rounded' },
  nodeAttributes: { ...font, shape: 'box', style: 'rounded,filled', margin: '0.18,0.1' },
  edgeAttributes: { ...font, arrowsize: 0.7 },
};

/** The colours of each class of nodes: fill and line, on light pages and on dark ones. */
const classes = {
  node: ['#ffffff', '#6b7785', '#1f262e', '#8b98a7'],
  input: ['#e6f0ff', '#2f6fd0', '#16294a', '#6ea8fe'],
  store: ['#e3f5e8', '#2b8a4b', '#12351f', '#63c384'],
  question: ['#fff3dc', '#b97800', '#3d2c08', '#e0ac4a'],
} as const;

/** Colours of the card, its parts, text and arrows. */
const light = { card: '#fbfcfd', line: '#c9d1d9', part: '#f1f4f7', text: '#1c2229', arrow: '#57626e' };
const dark = { card: '#161b21', line: '#39424d', part: '#1b2129', text: '#e4e9ee', arrow: '#9aa6b2' };

const rulesOf = (page: typeof light, isDark: boolean): string =>
  [
    `.card{fill:${page.card};stroke:${page.line}}`,
    `.cluster path,.cluster polygon{fill:${page.part};stroke:${page.line}}`,
    `text{fill:${page.text};font:13px Helvetica,Arial,sans-serif}`,
    `.node text:first-of-type,.input text:first-of-type,.store text:first-of-type{font-weight:bold}`,
    `.question text:first-of-type{font-weight:normal}`,
    `.edge path{stroke:${page.arrow}}.edge polygon{fill:${page.arrow};stroke:${page.arrow}}`,
    ...Object.entries(classes).map(([name, colours]) => {
      const [fill, line] = isDark ? colours.slice(2) : colours;
      return `.${name}>path,.${name}>polygon{fill:${fill};stroke:${line}}`;
    }),
  ].join('\n');

/**
 * Removes unneeded parts of a drawing, and puts it on a card, so that it does not depend on the colours of the page.
 */
function asPicture(drawn: string, title: string): string {
  const [, width = '0', height = '0'] = /viewBox="0\.00 0\.00 ([\d.]+) ([\d.]+)"/.exec(drawn) ?? [];
  const inner = drawn
    .slice(drawn.indexOf('<g id="graph0"'), drawn.lastIndexOf('</svg>'))
    .replaceAll(/<!--.*?-->\n|<title>.*?<\/title>\n/gs, '')
    .replaceAll(/ (?:fill|stroke|font-family|font-size|xml:space)="[^"]*"/g, '')
    .replaceAll(/(<path)(?= d="M[^"]*"\/>\n<polygon)/g, '$1 fill="none"');
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" role="img">`,
    `<title>${title}</title>`,
    `<style>\n${rulesOf(light, false)}\n@media (prefers-color-scheme:dark){\n${rulesOf(dark, true)}\n}\n</style>`,
    `<rect class="card" x="0.5" y="0.5" width="${Number(width) - 1}" height="${Number(height) - 1}" rx="10"/>`,
    inner.trim(),
    '</svg>',
    '',
  ].join('\n');
}
