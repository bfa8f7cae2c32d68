import { useState } from 'react';
import { Code } from '../../ui/code/code';
import { CopyButton } from '../../ui/forms/copy';
import style from './raw.module.css';

/** A record as the service sent it, for developers: hidden until they ask for it. */
export function Raw({ of, label }: { readonly of: unknown; readonly label: string }) {
  const [isOpen, setOpen] = useState(false);
  return (
    <details className={style.raw} onToggle={({ currentTarget: { open } }) => setOpen(open)}>
      <summary>Show raw</summary>
      {isOpen && <Inside json={JSON.stringify(of, null, 2)} label={label} />}
    </details>
  );
}

const Inside = ({ json, label }: { readonly json: string; readonly label: string }) => (
  <div className={style.inside}>
    <CopyButton text={json} label="Copy the JSON" />
    <Code label={label} language="json" wrap>
      {json}
    </Code>
  </div>
);
