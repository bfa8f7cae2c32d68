import { Notice } from '../../../ui/layout/surface';
import { Text } from '../../../ui/lists/value';
import type { CheckedReceipt } from './check-receipt';
import { Findings, type Names } from './findings';
import style from './receipt.module.css';

/** The result in the sentences of the checker, which the command line prints as well. People have their names, as far as they are known. */
export function Verdict({
  of: { verdict, fileName, isOfAnother, isForgeable },
  names,
}: {
  readonly of: CheckedReceipt;
  readonly names: Names;
}) {
  const name = fileName === null ? 'The receipt' : <Text of={fileName} />;
  if (!verdict.ok)
    return (
      <Notice tone="bad">
        <p>
          <strong>{name} failed the check.</strong> <Text of={verdict.message} />
        </p>
        <p>
          Code:{' '}
          <a className={style.code} href="/docs/receipts#codes">
            {verdict.code}
          </a>
        </p>
      </Notice>
    );
  return (
    <>
      <Notice tone={isOfAnother || isForgeable ? 'warn' : 'good'}>
        <p>
          <strong>{name} passed the check.</strong>
          {isOfAnother && ' But it is the receipt of another approval.'}
        </p>
        {isForgeable && (
          <p>
            It could still be forged: this service runs with development keys, and the party that made them
            can make any proof.
          </p>
        )}
      </Notice>
      <Findings of={{ ...verdict, checked: withDigestLast(verdict.checked) }} names={names} />
    </>
  );
}

/** What people decided comes first. The digest only matters to those who compare it. */
function withDigestLast(sentences: readonly string[]): readonly string[] {
  const isDigest = (sentence: string) => sentence.startsWith('The statement has the digest ');
  return [...sentences.filter((sentence) => !isDigest(sentence)), ...sentences.filter(isDigest)];
}
