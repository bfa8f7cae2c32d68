/** The parts of WebAssembly that we use. TypeScript declares them only in its DOM library. */
interface WebAssemblyApi {
  validate(bytes: Uint8Array): boolean;
  compile(bytes: Uint8Array): Promise<object>;
  instantiate(module: object, imports?: object): Promise<{ readonly exports: unknown }>;
}

export const webAssembly = (globalThis as unknown as { readonly WebAssembly: WebAssemblyApi }).WebAssembly;
