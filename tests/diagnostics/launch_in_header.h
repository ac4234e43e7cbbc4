template <typename T>
void Run(T* x) {
  scale<T><<<8, nullptr, nullptr>>>(x, missing);
}
