import { expect, test } from "vitest";
import { countRows } from "../../dashboard/src/settings/count-rows.ts";

test.each([
  ["with its header alone", "id,endpoint\n", 0],
  ["that is empty", "", 0],
  ["whose last row has no line break", "id,endpoint\n1,a\n2,b", 2],
  ["with line breaks of Windows and empty lines", "id,endpoint\r\n1,a\r\n\r\n2,b\r\n \r\n", 2],
  ["with line breaks and doubled quotes within quotes", 'id,text\n1,"one\ntwo ""three""\nfour"\n2,"five"\n', 2],
  ["whose only column is quoted", '"endpoint"\n"a"\n"b"\n', 2],
])("the readers in the CSV file of another service are counted, in a file %s", (_, csv, readers) => {
  expect(countRows(csv)).toBe(readers);
});
