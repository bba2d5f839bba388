"""The randomized responses themselves: the files of a survey, and files that bring responses in."""

import io
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any, BinaryIO

import httpx
import pandas as pd

from candor_client.connection import Connection, checked

PART = 1_048_576  # bytes of a file in one request, and of a workbook, SPSS, Stata or Parquet file


class Files(Connection):
    def codebook(self, slug: str) -> dict[str, Any]:
        """What each variable is, how it was randomized, and how to correct for it."""
        return self._get(f"surveys/{slug}/export/codebook.json")

    def rows(self, slug: str, *, labels: bool = False) -> pd.DataFrame:
        """The randomized responses, a row each: values, numbers, and 0 and 1 for each mark; NA for no report.

        Where devices picked the marks that they sent, a mark that was not picked is NA as well. Who declined to give a
        number has NA, and 1 in the column beside it. Sites of earlier versions give a string of marks in one column;
        it stays one, and codes from 0 in place of values. labels: categories with the choices' labels instead of
        values. They are what was reported, not what is true.
        """
        variables = self.codebook(slug)["variables"]
        response = self._http.get(f"surveys/{slug}/export/responses.csv")
        strings = {each["name"]: str for each in variables if _holds_texts(each)}
        frame = pd.read_csv(
            io.BytesIO(checked(response).content),
            dtype=strings,
            keep_default_na=False,
            na_values=[""],
        )
        for name in frame.columns[frame.isna().any()].difference(list(strings)):
            frame[name] = frame[name].astype("Int64")
        for each in variables if labels else []:
            if each["report"] in ("code", "value"):
                # Sites of earlier versions have codes in their files, and no values.
                labels_by_value = {
                    choice[each["report"]]: choice["label"] for choice in each["choices"]
                }
                reported = frame[each["name"]].map(labels_by_value)
                frame[each["name"]] = pd.Categorical(reported, [*labels_by_value.values()])
        return frame

    def files(self, slug: str) -> pd.DataFrame:
        """What download() takes, a row each: name, title, media_type, has_rows, limit (of responses), and n."""
        answer = self._get(f"surveys/{slug}/export/")
        return pd.DataFrame(answer["files"]).astype({"limit": "Int64"}).assign(n=answer["n"])

    def download(
        self,
        slug: str,
        name: str,
        target: str | Path = ".",
        form: str | None = None,
        *,
        marks: str | None = None,
    ) -> Path:
        """A file of files(), such as "everything.zip" or "responses.sav", streamed to a folder or file; its path.

        form: another form of it, as "packed" of responses.parquet (for very many responses) or "labels" of
        responses.csv. marks: the earlier name of `form`.
        """
        path = Path(target) / name if Path(target).is_dir() else Path(target)
        asked = {"form": form or marks} if form or marks else {}
        with self._http.stream("GET", f"surveys/{slug}/export/{name}", params=asked) as response:
            if response.is_error:
                response.read()
            checked(response)
            with path.open("wb") as file:
                file.writelines(response.iter_bytes())
        return path

    def import_responses(
        self,
        slug: str,
        source: str | Path | pd.DataFrame,
        mapping: Mapping[str, Any] | None = None,
        progress: Callable[[int, int, int], None] | None = None,
        confirm: Callable[[dict[str, Any]], bool] | None = None,
    ) -> int:
        """Send randomized responses from a file or a data frame, all or nothing; returns how many came in.

        source: CSV or other text as spreadsheets and statistics programs write it, of any length. Or a file of up to
        1,048,576 bytes: a workbook (.xlsx, .xls, .ods), SPSS (.sav, .zsav, .por), Stata (.dta), SAS (.xpt) or Parquet.
        mapping: its encoding, separator, header, sheet and missing, and what the columns hold, where the file does not
        show it; see docs/importing.md. NaN, None and NA in a data frame are no report. progress is
        called with the bytes sent, the bytes in all and the rows checked so far. confirm is called with what would be
        added: n, and for each question n, missing and the count of each answer. Where it returns False nothing is.
        Problem names wrong cells by row and column, and nothing of the file is stored then. Nor is it if a column of
        answers has codes without a meaning: `codes` of the Problem lists them, and the mapping gives them one under
        "texts" and "missing" of the question. rows() has the values of the codebook, so send them with {"version": 3}.
        """
        with _opened(source) as (file, size):
            begun = self._send(
                "POST", f"surveys/{slug}/imports/", {"mapping": dict(mapping) if mapping else None}
            )
            address = f"surveys/{slug}/imports/{begun['id']}/"
            try:
                parts = sent = 0
                while part := file.read(PART):
                    parts, sent = parts + 1, sent + len(part)
                    now = self._put(f"{address}parts/{parts}/", part)
                    if progress:
                        progress(sent, size, now["rows"])
                preview = self._get(address)["preview"] if confirm else None
                if (
                    confirm and preview and not confirm(preview)
                ):  # without one, finishing says what is wrong
                    self._http.delete(address)
                    return 0
                return int(self._send("POST", f"{address}finish/", {"parts": parts})["rows"])
            except BaseException:
                with suppress(
                    httpx.HTTPError
                ):  # what cannot be cancelled now is deleted after a day
                    self._http.delete(address)
                raise


def _holds_texts(variable: Mapping[str, Any]) -> bool:
    """Return whether cells of a variable are texts, also if they look like numbers."""
    if variable["report"] == "value":
        return any(isinstance(choice["value"], str) for choice in variable["choices"])
    return bool(variable["report"].startswith("string"))


@contextmanager
def _opened(source: str | Path | pd.DataFrame) -> Iterator[tuple[BinaryIO, int]]:
    """The bytes of a file or frame, and how many there are."""
    if isinstance(source, pd.DataFrame):
        content = source.to_csv(index=False).encode()
        yield io.BytesIO(content), len(content)
    else:
        with Path(source).open("rb") as file:
            yield file, Path(source).stat().st_size
