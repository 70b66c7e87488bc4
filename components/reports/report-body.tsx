import type { WireReport } from '#lib/api/report.ts';
import type { DocumentSection, SummaryFigure, Text } from '#lib/report/document.ts';
import { makeDocument } from '#lib/report/make-document.ts';
import { ReportPicture } from './report-picture.tsx';
import { Linked, ReportTable } from './report-table.tsx';

/** A report, for paper first: what failed, in sentences and by cause, a few figures, and then everything they are made of. */
export function ReportBody({ report }: { readonly report: WireReport }) {
  const document = makeDocument(report);
  return (
    <article className="report">
      <h1>{document.title}</h1>
      <p className="report-sub">{document.subtitle}</p>
      {document.notices.map((notice) => (
        <p key={notice} className="report-notice">
          {notice}
        </p>
      ))}
      <Paragraphs texts={document.lead} />
      {document.worst !== null && <Section section={document.worst} report={report} />}
      {document.figures.length > 0 && (
        <dl className="report-heads">
          {document.figures.map((figure) => (
            <Figure key={figure.label} figure={figure} />
          ))}
        </dl>
      )}
      <Paragraphs texts={document.times} />
      {document.reading.length > 0 && (
        <section>
          <h2>How to read this report</h2>
          <dl className="report-reading">
            {document.reading.map(({ term, meaning }) => (
              <div key={term}>
                <dt>{term}</dt>
                <dd>{meaning}</dd>
              </div>
            ))}
          </dl>
        </section>
      )}
      <div className="report-sections">
        {document.sections.map((section) => (
          <Section key={section.id} section={section} report={report} />
        ))}
      </div>
      <p className="report-foot">{document.foot.join(' ')}</p>
    </article>
  );
}

function Paragraphs({ texts }: { readonly texts: readonly Text[] }) {
  if (texts.length === 0) return null;
  return (
    <div className="report-lead">
      {texts.map((pieces) => (
        <Paragraph key={pieces.map(({ text }) => text).join('')} pieces={pieces} />
      ))}
    </div>
  );
}

function Paragraph({ pieces }: { readonly pieces: Text }) {
  return (
    <p>
      {pieces.map(({ text, strong, href }, index) => {
        const words = <Linked href={href} text={text} />;
        // Pieces of a sentence never move, and two may have the same words.
        return strong === true ? <b key={index}>{words}</b> : <span key={index}>{words}</span>;
      })}
    </p>
  );
}

function Figure({ figure: { label, value, meaning, note, href } }: { readonly figure: SummaryFigure }) {
  return (
    <div>
      <dt>{label}</dt>
      <dd className="report-value">
        <Linked href={href ?? undefined} text={value} />
      </dd>
      <dd className="report-was">{note}</dd>
      <dd className="report-meaning">{meaning}</dd>
    </div>
  );
}

function Section({ section, report }: { readonly section: DocumentSection; readonly report: WireReport }) {
  const { id, title, note, picture, table } = section;
  return (
    <section id={id} className={`report-part report-${id}`}>
      <h2>
        {title} {note !== '' && <small>{note}</small>}
      </h2>
      {picture !== null && <ReportPicture picture={picture} report={report} />}
      {picture === null ? (
        <ReportTable table={table} label={title} />
      ) : (
        <details className="screen-only">
          <summary>As a table</summary>
          <ReportTable table={table} label={title} />
        </details>
      )}
    </section>
  );
}
