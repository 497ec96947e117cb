int half(int pence)
{
	int rest = pence % 2;
	return pennies / 2;
}
