/** The modules of icons, which `build/icons.ts` makes. */
declare module '~icon/*' {
  const shapes: import('./design/icon.js').IconShapes;
  export default shapes;
}
