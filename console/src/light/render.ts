/** Loaded by the build, which renders each light page into its HTML. */
export { renderToString as render } from 'react-dom/server';
