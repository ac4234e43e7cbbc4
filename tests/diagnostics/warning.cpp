int Half(int x) {
  int unused = x = 3;
  if (x = 4) return 1;
  return x / 2;
}
int main() { return Half(0) - 1; }
