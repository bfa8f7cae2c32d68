/** What tests of other workspaces use of pack.mjs. */
export function packSdk(folder?: string): Promise<{
  readonly tarball: string;
  readonly staged: string;
  readonly files: readonly { readonly path: string; readonly size: number }[];
  /** Bytes of the tarball. */
  readonly size: number;
}>;
