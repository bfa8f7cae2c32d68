import { Fragment } from 'react';
import { CopyIcon } from '../../ui/forms/copy';
import page from '../records/record-page.module.css';

/** A URL that is broken after a slash or a dot where it is too long for its line. */
export const Breakable = ({ text }: { readonly text: string }) =>
  text.split(/(?<=\/)|(?<=\w\.)/).map((part, at) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: a part is its position
    <Fragment key={at}>
      {part}
      <wbr />
    </Fragment>
  ));

/** A value with a button that copies it. */
export const Copied = ({ text, name }: { readonly text: string; readonly name: string }) => (
  <span className={page.copy}>
    <code>
      <Breakable text={text} />
    </code>
    <CopyIcon text={text} label={`Copy the ${name}`} />
  </span>
);
