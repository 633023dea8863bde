// The board that people drag men on, as the one global Chessgroundx.
export { Chessground } from "chessgroundx";
